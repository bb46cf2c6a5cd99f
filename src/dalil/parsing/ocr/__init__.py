"""Reading pictures of pages on this machine, without a language model."""

from dalil.parsing.ocr.tesseract import TesseractRecognizer

__all__ = ["TesseractRecognizer"]
