from .play.run import Result, make_experiment, run, run_experiment
from .studies.trial import try_game

__all__ = ["Result", "make_experiment", "run", "run_experiment", "try_game"]
