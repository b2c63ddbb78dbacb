"""Which parameters a log of trajectories points to, and how surely.

- `settings`: how an identification is made, as plain data;
- `least_squares`: the parameters that explain one episode best;
- `simex`: any estimator of one episode, corrected for the sensor's noise by adding more of it;
- `curves`: the corrected estimates of many episodes, and the estimate over any set of them;
- `cache`: the curve of an episode on disk, by its content;
- `identify`: all episodes of a log, in parallel, each computed once;
- `confidence`: intervals, conditioning, and the parameters that the log cannot tell;
- `calibration`: whether the bootstrap's spread is the true one.
"""
