/** Policies with bindings and parameters in one text, test objects and expectations in another. */
import { isJsonObject, type JsonObject } from '../../../engine/core/object'
import { parseManifest } from '../manifests/documents'

export interface TestTexts {
  policies: string
  tests: string
}

const TEST_KIND = 'PolicyTest'

/** One file, as the policy-test command reads it. */
export function joined({ policies, tests }: TestTexts): string {
  return [policies, tests]
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n---\n')
    .concat('\n')
}

/** Splits a file: tests and the objects that they name, and the rest. */
export function parted(text: string): TestTexts {
  const documents = text
    .split(/^---.*$/m)
    .map((part) => ({ part: part.trim(), content: contentOf(part) }))
  const named = new Set(
    documents.flatMap(({ content }) => (content?.kind === TEST_KIND ? referencesIn(content) : [])),
  )
  const isTest = (content: JsonObject | undefined): boolean =>
    content !== undefined &&
    (content.kind === TEST_KIND || named.has(nameOf(content.kind, content.metadata)))
  const side = (tests: boolean) =>
    documents
      .filter(({ part, content }) => part !== '' && isTest(content) === tests)
      .map(({ part }) => `${part}\n`)
      .join('---\n')
  return { policies: side(false), tests: side(true) }
}

const contentOf = (text: string): JsonObject | undefined => parseManifest(text).documents[0]?.value

function referencesIn({ cases }: JsonObject): string[] {
  if (!Array.isArray(cases)) return []
  return cases
    .filter(isJsonObject)
    .flatMap(({ objectRef, oldObjectRef }) =>
      [objectRef, oldObjectRef]
        .filter(isJsonObject)
        .map((reference) => nameOf(reference.kind, reference)),
    )
}

const nameOf = (kind: unknown, names: unknown): string =>
  `${kind} ${isJsonObject(names) ? names.name : ''}`

/** Appends a case without an expectation. */
export function withCase(tests: string, name: string, object: string): string {
  const indented = object.trimEnd().replaceAll(/^/gm, ' '.repeat(6))
  const entry = `  - name: ${JSON.stringify(name)}\n    object:\n${indented}\n`
  const trimmed = tests.trimEnd()
  const last = trimmed.split(/^---.*$/m).at(-1) ?? ''
  if (/^cases:\s*$/m.test(last) && contentOf(last)?.kind === TEST_KIND)
    return `${trimmed}\n${entry}`
  const head = `apiVersion: kubetab/v1\nkind: ${TEST_KIND}\nmetadata: { name: from the cluster }\ncases:\n`
  return `${trimmed === '' ? '' : `${trimmed}\n---\n`}${head}${entry}`
}

export function validationsIn(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { value } of parseManifest(text).documents) {
    const { kind, metadata, spec } = value
    if (
      kind !== 'ValidatingAdmissionPolicy' ||
      !isJsonObject(metadata) ||
      !isJsonObject(spec) ||
      !Array.isArray(spec.validations)
    )
      continue
    const expressions = spec.validations.map((validation) =>
      isJsonObject(validation) ? String(validation.expression ?? '') : '',
    )
    found.set(String(metadata.name), expressions)
  }
  return found
}
