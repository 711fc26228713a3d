/** Every text of the page, the lessons and the glossary follows docs/glossary.md. */
// cspell:ignore colour
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type SourceText, shownLiterals, textsIn, textsInYaml } from '../../scripts/texts'
import { avoidedWords, findingsIn } from '../../scripts/words'

const root = new URL('../../', import.meta.url)
const glossary = readFileSync(new URL('docs/glossary.md', root), 'utf8')
const avoided = avoidedWords(glossary)
const required = avoidedWords(glossary, 'Required terms')

/** Messages of kube-apiserver, and words that only look like capitalized labels. */
const QUOTED = [
  /too old resource version|Common Expression Language|https?:\/\/\S+/g,
  /“[^”]*”|"[^"]*"|`[^`]*`/g,
]
/** Names, kinds and values of the API that are one capitalized word. */
const PROPER = new Set(
  `
  Kubernetes Helm Chromium Firefox Chrome GitHub Markdown Protobuf Node Go Monday CEL Ctrl Alt
  Escape Enter Delete Tab Shift Cmd Home End Accept Warning Status Common
  Expression Language Alice Bob Carol Eve Deployment Deployments Pod Pods Service
  Services Secret Secrets Role Roles Job Jobs Node Nodes Namespace Namespaces Event Events Lease
  Leases Ingress Update Apply Force Strict Warn Ignore Foreground Background Orphan Terminating
  Policies Policy Bearer Basic Merge Patch Conflict Gone Forbidden Timeout Succeeded Failed I
`.split(/\s+/),
)

/** @returns what is wrong with a text, for the report of a failed test */
function problemsOf({ text, isLabel }: SourceText): string[] {
  const plain = QUOTED.reduce((rest, quoted) => rest.replace(quoted, '…'), text)
  const words = [
    ...findingsIn(plain, avoided),
    ...required.flatMap(({ pattern, instead }) =>
      [...plain.matchAll(pattern)].map(([found]) => ({ found, instead })),
    ),
  ].map(({ found, instead }) => `“${found}”: ${instead}`)
  return isLabel && !isSentenceCase(plain) ? [...words, 'not in sentence case'] : words
}

/** Only the first word of a sentence is capitalized, except for names and kinds. */
function isSentenceCase(label: string): boolean {
  return label.split(/(?<=[.:?!…]) /).every((sentence) =>
    sentence
      .split(/[ (/,]+/)
      .slice(1)
      .every((word) => {
        const bare = word.replace(/[).,:;?!…]+$/, '').replace(/['’]s$/, '')
        return !/^[A-Z][a-z]+$/.test(bare) || PROPER.has(bare)
      }),
  )
}

const files = ['src/app', 'src/lessons'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|yaml)$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name}`),
)
const textsOf = (file: string) => {
  const source = readFileSync(new URL(file, root), 'utf8')
  if (file.endsWith('.yaml')) return textsInYaml(source)
  const texts = textsIn(file, source)
  if (!/texts\.ts$/.test(file)) return texts
  // A table of texts does not show which of them are labels: the short ones count as labels.
  return texts.map((one) => ({ ...one, isLabel: one.isLabel || one.text.split(' ').length < 6 }))
}

describe('texts of the page, the lessons and the glossary', () => {
  it('use the words of docs/glossary.md, and labels are in sentence case', () => {
    const problems = files.flatMap((file) =>
      textsOf(file).flatMap((found) =>
        problemsOf(found).map(
          (problem) => `${file}:${found.line}: ${problem}: ${found.text.slice(0, 90)}`,
        ),
      ),
    )
    expect(problems).toEqual([])
  })

  it('are many', () => {
    const texts = files.map(textsOf)
    expect(texts.flat().length).toBeGreaterThan(2000)
    expect(textsOf('src/app/features/explain/glossary/errors.ts').length).toBeGreaterThan(50)
    expect(textsOf('src/lessons/catalog/lost-update.yaml').length).toBeGreaterThan(10)
  })
})

/** Tables of texts and of search terms, which have no file of texts beside them. */
const TABLES =
  /texts\.ts$|\/explain\/(?:glossary\/|entry\.ts)|\/search\/(?:kind-terms|other-words)\.ts|\/releases\/(?:release-notes|found-releases)\.ts/

describe('the code of the page', () => {
  it('takes every text that it shows from a file of texts', () => {
    const code = files.filter((file) => file.startsWith('src/app/') && !TABLES.test(file))
    const literals = code.flatMap((file) =>
      shownLiterals(file, readFileSync(new URL(file, root), 'utf8')).map(
        ({ line, text }) => `${file}:${line}: ${text}`,
      ),
    )
    expect(literals).toEqual([])
    expect(code.length).toBeGreaterThan(300)
  })

  it.each([
    ['<p>Not found</p>', ['Not found']],
    ['<p>{count} objects</p>', ['objects']],
    ['<b>{busy ? `Saving …` : none || "Save"}</b>', ['Saving …', 'Save']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a fixture
    ['<a title={`Open ${name}`} aria-label="Name" />', ['Open …', 'Name']],
    ['<Field label={TEXTS.name} placeholder={more && "any"} />', ['any']],
    ["[{ id: 'reset', title: 'Reset the cluster' }]", ['Reset the cluster']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a fixture
    ["notify(failed ? 'Not saved' : `Saved ${name}`, 'bad')", ['Not saved', 'Saved …']],
    ["copyText(address, 'The link')", ['The link']],
  ])('may not contain %s', (source, expected) => {
    const found = shownLiterals('fixture.tsx', `const a = ${source}`)
    expect(found.map(({ text }) => text)).toEqual(expected)
  })

  it.each([
    '<p>{TEXTS.none} · {count} → {kind === "Pod" && <Pod />}</p>',
    '<p className="soft small" role="alert">{several(3, "Pods")}</p>',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a fixture
    '<option value="yes" title={`${kind}/${name}`}>{"\\n"}</option>',
    "open({ title: 'untitled.yaml', language: 'yaml', text: '' })",
    "const variable = { name: 'oldObject', title: 'oldObject' }",
    "notify(texts.saved, 'good')",
  ])('may contain %s', (source) => {
    expect(shownLiterals('fixture.tsx', `const a = ${source}`)).toEqual([])
  })
})

describe('the check', () => {
  const problemsIn = (source: string) => textsIn('fixture.tsx', source).flatMap(problemsOf)

  it.each([
    ["const failure = 'The server refused this request'", ['“refused”: reject']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a fixture
    ['const text = `The roll-out of ${name} is complete`', ['“roll-out”: rollout']],
    ["notify('Resumes at an old resource version')", ['“resource version”: resourceVersion']],
    ['const a = <p>Changes the colour of a marker</p>', ['“colour”: color']],
    [
      'const a = <button title="Clear all data">Delete All Objects</button>',
      ['not in sentence case'],
    ],
    ["const command = { title: 'Copy Request as curl' }", ['not in sentence case']],
  ])('fails for %s', (source, [problem]) => {
    expect(problemsIn(source)).toEqual([expect.stringContaining(problem ?? '')])
  })

  it.each([
    "const failure = 'The server rejected this request'",
    "notify('Resumes at an old resourceVersion')",
    'const a = <button>Create a ConfigMap: see Pods</button>',
    "import { refuse } from '../told/refused words'",
    'const a = <p className="told signs">Saved</p>',
    "const outcome = 'refused'",
  ])('accepts %s', (source) => {
    expect(problemsIn(source)).toEqual([])
  })
})
