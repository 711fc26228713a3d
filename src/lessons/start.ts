import { isJsonObject, type Json, type KubeObject } from '../engine/core/object'
import { yamlDocuments } from '../engine/schema/yaml/documents'
import { readYaml } from '../engine/schema/yaml/reader'

/**
 * @param text YAML documents; items of a List count individually
 * @throws Error naming the document that is not an object
 */
export function startObjects(text: string): KubeObject[] {
  return yamlDocuments(text).flatMap((document, index) => {
    const value = readDocument(document, index + 1)
    return value === null ? [] : objectsIn(value, index + 1)
  })
}

function readDocument(document: string, number: number): Json {
  try {
    return readYaml(document).value
  } catch (error) {
    throw new Error(`document ${number}: ${(error as Error).message}`)
  }
}

function objectsIn(value: Json, number: number): KubeObject[] {
  if (isJsonObject(value) && value.kind === 'List' && Array.isArray(value.items))
    return value.items.flatMap((item) => objectsIn(item, number))
  const named =
    isJsonObject(value) && isJsonObject(value.metadata) && typeof value.metadata.name === 'string'
  if (!named || typeof value.kind !== 'string' || typeof value.apiVersion !== 'string')
    throw new Error(
      `document ${number} is not an object: apiVersion, kind and metadata.name are needed`,
    )
  return [value as unknown as KubeObject]
}
