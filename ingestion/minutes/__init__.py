"""Minutes 会议纪要: a transcript becomes topic segments with nothing lost.

Eight agents, one module each, in the order of the line: `preprocess` `batching` `boundaries` `grouping`
`metadata` `semantics` `completeness` `orchestrator`. `transcript` and `segmentation` are what they hand on;
`detector` cuts without a model.
"""
