"""`audition calibrate`: what counts as success, from what one of the candidates achieves."""

from __future__ import annotations

from dataclasses import replace

import click

from audition.cli import options


@click.command("calibrate", short_help="Find thresholds of success for a study of robots.")
@click.argument("study")
@click.option("--candidate", required=True, help="The candidate that sets the standard.")
@click.option("--seeds", type=int, default=6, show_default=True, help="Trainings of it.")
@options.as_json
def command(study: str, candidate: str, seeds: int, as_json: bool) -> None:
    """Train one candidate of STUDY in the fitted simulator and print thresholds for `success`.

    The far distance is the median over all evaluation episodes, the near one half of it, and the
    most effort 0.9 times the mean. Nothing is written: copy the lines into the study file.
    """
    from audition.calibrating import calibrated
    from audition.cli.conducting import ready
    from audition.cli.narration import Silent
    from audition.cli.words import answer, plural, say
    from audition.study import ObjectiveChoice
    from audition.study_directory import located

    _, settings = located(study)
    # the objective is what is asked for here, so the study need not name one yet
    thresholds = {"near": 0.0, "far": 1.0, "most_effort": 1.0}
    standing_in = ObjectiveChoice(name="success", settings=thresholds)
    made = ready(replace(settings, objectives=(standing_in,)), voice=Silent())
    found = calibrated(made.prepared, candidate=candidate, seeds=seeds)
    for reason in found.failed:
        say(f"one seed gave no policy: {reason}")
    if as_json:
        answer({"candidate": found.candidate, "seeds": found.trained, **found.thresholds})
        return
    inside = ", ".join(f"{name} = {value:.4g}" for name, value in found.thresholds.items())
    click.echo(f"# {plural(found.trained, 'training')} of {found.candidate}")
    click.echo(f'[[objectives]]\nname = "success"\nsettings = {{ {inside} }}')
