/** Reads a test set; an error names file and document. */
import { append } from '../engine/core/lists'
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../engine/core/object'
import { yamlDocuments } from '../engine/schema/yaml/documents'
import { readYaml } from '../engine/schema/yaml/reader'
import { readCases } from './cases'
import { creationOrder } from './order'
import { TestSetError } from './test-set-error'
import {
  type DocumentReference,
  type PolicyTest,
  TEST_KIND,
  TEST_VERSION,
  type TestSet,
} from './types'

export interface TestFile {
  name: string
  text: string
}

/** @throws TestSetError */
export function readTestSet(files: readonly TestFile[]): TestSet {
  const documents = files.flatMap(documentsIn)
  const used = new Set<JsonObject>()
  const find = (reference: DocumentReference): JsonObject | undefined => {
    const found = documents.find(({ content }) => refersTo(reference, content))?.content
    if (found !== undefined) used.add(found)
    return found
  }
  const tests: PolicyTest[] = documents
    .filter(({ content }) => isTest(content))
    .map(({ content, place }) => ({
      name: nameOf(content) || place,
      cases: readCases(content, place, find),
    }))
  const objects = documents
    .filter(({ content }) => !isTest(content) && !used.has(content))
    .map(({ content }) => content)
  return { objects: creationOrder(objects as unknown as KubeObject[]), tests }
}

interface Document {
  content: JsonObject
  /** The file, and the document's number. */
  place: string
}

function documentsIn({ name, text }: TestFile): Document[] {
  const documents: Document[] = []
  for (const [index, document] of yamlDocuments(text).entries()) {
    const place = `${name}, document ${index + 1}`
    const content = contentOf(document, place)
    if (content === null) continue
    if (!isJsonObject(content)) throw new TestSetError(`${place}: an object is expected`)
    if (content.kind === 'List' && Array.isArray(content.items)) {
      append(
        documents,
        content.items
          .filter(isJsonObject)
          .map((item, at) => ({ content: item, place: `${place}, item ${at + 1}` })),
      )
    } else documents.push({ content, place })
  }
  for (const { content, place } of documents) {
    if (typeof content.apiVersion !== 'string' || typeof content.kind !== 'string')
      throw new TestSetError(`${place}: apiVersion and kind are expected`)
    if (content.kind === TEST_KIND && content.apiVersion !== TEST_VERSION)
      throw new TestSetError(`${place}: ${TEST_KIND} is known in version ${TEST_VERSION} only`)
  }
  return documents
}

function contentOf(document: string, place: string): Json {
  try {
    return readYaml(document).value
  } catch (error) {
    throw new TestSetError(`${place}: ${(error as Error).message}`)
  }
}

const isTest = ({ apiVersion, kind }: JsonObject): boolean =>
  apiVersion === TEST_VERSION && kind === TEST_KIND

const metadataOf = ({ metadata }: JsonObject): JsonObject =>
  isJsonObject(metadata) ? metadata : {}

function nameOf(content: JsonObject): string {
  const { name } = metadataOf(content)
  return typeof name === 'string' ? name : ''
}

function refersTo(
  { apiVersion, kind, name, namespace }: DocumentReference,
  content: JsonObject,
): boolean {
  return (
    content.kind === kind &&
    nameOf(content) === name &&
    (apiVersion === undefined || content.apiVersion === apiVersion) &&
    (namespace === undefined || metadataOf(content).namespace === namespace)
  )
}
