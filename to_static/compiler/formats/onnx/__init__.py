"""Files of ONNX, opsets 7 to 23."""
