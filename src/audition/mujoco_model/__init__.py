"""MuJoCo models with named multipliers: scaled fields, a sensor, and Gymnasium environments.

Families and learners both stand on this part, so that neither has to import the other:

- `settings`: what a task is, as plain data (imports nothing heavy);
- `fields`: `scaled_model(settings, parameters)`, fields by path;
- `sensor`: `sensor_scale(settings)`, how loud the sensor is;
- `environment`: `make_environment(settings, parameters, seed=...)`;
- `health`: `health_box(settings)`, the health rule that a batch can check;
- `transitions`: `TransitionModel(settings)`, f_lambda for many transitions at once;
- `collect`: `collect(settings, parameters, episodes=..., seed=...)`, a log of a policy.
"""
