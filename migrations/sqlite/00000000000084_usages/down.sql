DROP TABLE usages;
