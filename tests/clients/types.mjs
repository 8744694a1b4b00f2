// Generates types for openapi-fetch; arguments: the document, the file to write. What is binary is a Blob.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const [document, out] = process.argv.slice(2);
const blob = ts.factory.createTypeReferenceNode("Blob");
const transform = (schema) => (schema.format === "binary" ? blob : undefined);
await writeFile(out, astToString(await openapiTS(await readFile(document), { transform })));
