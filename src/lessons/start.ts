/** The objects that are there when a lesson begins. */
import { parseAllDocuments } from 'yaml'
import { isJsonObject, type Json, type KubeObject } from '../engine/object'
import { readYaml } from '../engine/schema/yaml/reader'

/**
 * @param text YAML of any number of documents; the items of a List count by themselves
 * @throws Error saying in which document something is no object
 */
export function startObjects(text: string): KubeObject[] {
  const documents = parseAllDocuments(text, { version: '1.1', prettyErrors: false })
  if ('empty' in documents) return []
  return documents.flatMap((document, index) => {
    const [error] = document.errors
    if (error) throw new Error(`document ${index + 1}: ${error.message}`)
    if (document.contents === null) return []
    const begin = Math.min(document.range[0], document.contents.range[0])
    const { value } = readYaml(text.slice(begin, document.range[1]))
    return value === null ? [] : objectsIn(value, index + 1)
  })
}

function objectsIn(value: Json, number: number): KubeObject[] {
  if (isJsonObject(value) && value.kind === 'List' && Array.isArray(value.items))
    return value.items.flatMap((item) => objectsIn(item, number))
  const named = isJsonObject(value) && isJsonObject(value.metadata) && typeof value.metadata.name === 'string'
  if (!named || typeof value.kind !== 'string' || typeof value.apiVersion !== 'string')
    throw new Error(`document ${number} is no object: apiVersion, kind and metadata.name are needed`)
  return [value as unknown as KubeObject]
}
