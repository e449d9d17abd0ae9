"""Where an application stands 进度: connectors to the approval system, who may see what, and its telling."""
