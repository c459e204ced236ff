from .frames import estimates, frame
from .report import page, write_csvs, write_page, write_pngs, write_svgs
from .tables import save_table

__all__ = ["estimates", "frame", "page", "save_table", "write_csvs", "write_page", "write_pngs", "write_svgs"]
