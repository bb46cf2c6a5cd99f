"""What the office formats share: containers, XML, tables, charts, diagrams and equations."""
