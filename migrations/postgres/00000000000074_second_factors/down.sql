DROP TABLE second_factors;
