from .play.run import Result, make_experiment, run, run_experiment

__all__ = ["Result", "make_experiment", "run", "run_experiment"]
