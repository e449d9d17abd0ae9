"""The console and the rooms: NiceGUI pages under /app on the same application."""
