DROP TABLE applications;
