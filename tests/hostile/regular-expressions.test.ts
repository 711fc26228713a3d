/** Regular expressions of the sources, and those of users, take linear time on any text. */
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript-compiler'
import { describe, expect, it } from 'vitest'
import { issuersIn } from '../../src/app/features/access/access-draft'
import { LineEditor } from '../../src/app/features/console/line-editor'
import { typedPart } from '../../src/app/features/editor/cursor'
import { fieldPath } from '../../src/app/features/manifests/documents'
import { fieldsIn } from '../../src/app/features/manifests/failure'
import { copiedIn } from '../../src/app/features/manifests/yaml-mistakes'
import { recycledRootErrors } from '../../src/engine/kinds/core/persistent-volume'
import { canonicalQuantity, parseQuantity } from '../../src/engine/schema/quantity'
import { expanded } from '../../src/engine/simulation/environment'
import { isFormat } from '../../src/engine/validation/custom-objects/formats'
import { pemBlocks } from '../../src/engine/validation/pem'
import { sendRequest, testServer } from '../support/server'
import { slowText } from './patterns'

const DIRECTORIES = [
  'src/engine',
  'src/hosts',
  'src/console',
  'src/persistence',
  'src/policy-test',
  'src/lessons',
  'src/package',
  'src/app',
]

/** Returns each regular expression of the sources once, with a place where it is. */
function expressions(): Map<string, { place: string; pattern: RegExp }> {
  const found = new Map<string, { place: string; pattern: RegExp }>()
  const add = (place: string, source: string, flags: string) => {
    const key = `/${source}/${flags}`
    if (!found.has(key)) found.set(key, { place, pattern: new RegExp(source, flags) })
  }
  for (const path of DIRECTORIES.flatMap(sourcesIn)) {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
    const constants = new Map<string, ts.Expression>()
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
        constants.set(node.name.text, node.initializer)
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        add(path, node.text.slice(1, end), node.text.slice(end + 1))
      } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
        const [text, flags] = node.arguments ?? []
        const source = text && constantText(text, constants)
        if (source !== undefined) add(path, source, (flags && constantText(flags, constants)) ?? '')
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return found
}

const sourcesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('generated'))
    .map((name) => `${directory}/${name}`)

/** Returns the text of an expression of literals and of constants of the file. */
function constantText(
  expression: ts.Expression,
  constants: ReadonlyMap<string, ts.Expression>,
): string | undefined {
  if (ts.isStringLiteral(expression) || ts.isNoSubstitutionTemplateLiteral(expression))
    return expression.text
  if (ts.isIdentifier(expression)) {
    const constant = constants.get(expression.text)
    return constant && constantText(constant, constants)
  }
  if (!ts.isTemplateExpression(expression)) return undefined
  let text = expression.head.text
  for (const { expression: inner, literal } of expression.templateSpans) {
    const part = constantText(inner, constants)
    if (part === undefined) return undefined
    text += part + literal.text
  }
  return text
}

describe('the search for slow texts', () => {
  it.each([
    /^\/+(?:\.?\/+)*\.?$/,
    /0+$/,
    /^0*(\d*)(?:\.(\d*))?([a-z]*\d*)$/,
    /\$(?:\$|\(([^)]*)\))/g,
    /[?#].*$/,
    /@[ \t]*\[(.*?)\]/,
    /^[0-9.]+[kMG]*[-+]?[0-9]*$/,
    /^(a|a)*$/,
    /(\d+\.?\d*|\.\d+)(h|ms)/gy,
  ])('finds one for %s', (pattern) => {
    expect(slowText(pattern)).toBeDefined()
  })

  it.each([/^\/(?:\.?\/)*\.?$/, /^[a-z]([-a-z0-9]*[a-z0-9])?$/, /[<>&]/g, /^(\d+)-(\d+)$/])(
    'finds none for %s',
    (pattern) => {
      expect(slowText(pattern)).toBeUndefined()
    },
  )
})

it('takes linear time with each regular expression of the sources', { timeout: 300_000 }, () => {
  const all = [...expressions()]
  const slow = all.flatMap(([text, { place, pattern }]) => {
    const found = slowText(pattern)
    return found === undefined ? [] : [`${place}: ${text} on ${found}`]
  })
  expect(slow).toEqual([])
  expect(all.length).toBeGreaterThan(450)
})

describe('a pattern of a user', () => {
  const NESTED = '^(a+)+$'
  const TEXT = `${'a'.repeat(100_000)}!`
  const CLASSES = ['a definition', 'an expression', 'an object of preserved values']

  it.each(CLASSES)('in %s is matched without going back', async (where) => {
    const server = testServer()
    const isExpression = where === 'an expression'
    const field = {
      type: 'string',
      maxLength: 200_000,
      ...(isExpression ? {} : { pattern: NESTED }),
      ...(isExpression
        ? { 'x-kubernetes-validations': [{ rule: `self.matches('${NESTED}')` }] }
        : {}),
    }
    const inner =
      where === 'an object of preserved values'
        ? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: field } }
        : { type: 'object', properties: { a: field } }
    const { status } = await sendRequest(server, {
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: {
        metadata: { name: 'many.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'many', kind: 'Many' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { spec: inner } } },
            },
          ],
        },
      },
    })
    expect(status).toBe(201)
    const path = '/apis/example.com/v1/many'
    await expect.poll(async () => (await sendRequest(server, { path })).status).toBe(200)
    const create = (name: string, a: string) =>
      sendRequest(server, {
        method: 'POST',
        path,
        body: { apiVersion: 'example.com/v1', kind: 'Many', metadata: { name }, spec: { a } },
      })
    expect([(await create('fits', 'aaaa')).status, (await create('not', TEXT)).status]).toEqual([
      201, 422,
    ])
  })
})

/** Texts that the patterns before these took the square of their length for, or more. */
describe('a long text', () => {
  const LONG = 200_000

  it('of slashes is not a path of the root', () => {
    const root = { persistentVolumeReclaimPolicy: 'Recycle' as const }
    const errors = (path: string) => recycledRootErrors('spec', { ...root, hostPath: { path } })
    expect(errors(`/${'/'.repeat(LONG)}x`)).toEqual([])
    expect(errors(`/${'./'.repeat(LONG)}`)).toHaveLength(1)
    expect(
      [errors('/'), errors('/.'), errors('//./.'), errors('/..')].map((all) => all.length),
    ).toEqual([1, 1, 1, 0])
  })

  it('of zeros is a quantity, or none', () => {
    for (const text of [`1${'0'.repeat(LONG)}1`, `${'0'.repeat(LONG)}!`, `${'1'.repeat(LONG)}!`])
      expect(() => parseQuantity(text)).toThrow()
    expect(['00.100', '000', '-0', '.5', 'e5', '1E'].map(canonicalQuantity)).toEqual([
      '100m',
      '0',
      '0',
      '500m',
      '0',
      '1E',
    ])
    for (const text of ['1-5', '1e', '1Kii', '1k-1'])
      expect(() => parseQuantity(text)).toThrow("unable to parse quantity's suffix")
  })

  it('of open references is expanded as it is written', () => {
    const value = (name: string) => (name === 'A' ? 'a' : undefined)
    const open = '$('.repeat(LONG)
    expect(expanded(open, value)).toBe(open)
    expect(expanded(`${open}A)`, value)).toBe(`${open}A)`)
    expect(expanded('$$(A) $(A) $(B) $A $', value)).toBe('$(A) a $(B) $A $')
  })

  it('of spaces is not an email address', () => {
    expect(isFormat('email', ' '.repeat(LONG))).toBe(false)
    expect(isFormat('email', `${'@['.repeat(LONG)}`)).toBe(false)
    expect(isFormat('email', 'A B <a@[10.0.0.1]> (c)')).toBe(true)
    expect(isFormat('email', 'a@[x]')).toBe(false)
  })

  it('of spaces inside a line of PEM ends where it ends', () => {
    const body = `-----BEGIN A-----\n-----END A${' '.repeat(LONG)}x\n`
    expect(pemBlocks(body).blocks).toEqual([])
  })

  it('of brackets and quotes is a field path', () => {
    expect(fieldPath('['.repeat(LONG))).toEqual(['['.repeat(LONG - 1)])
    expect(fieldPath(`a[${'b'.repeat(LONG)}`)).toEqual(['a', 'b'.repeat(LONG)])
    expect(fieldPath(`[=${'"\\'.repeat(LONG)}`)).toHaveLength(1)
    expect(fieldPath(`[${'a'.repeat(LONG)},b=1]`)).toEqual([{ b: 1 }])
    expect(fieldPath('.ports[containerPort=80,protocol="T,]C"].name')).toEqual([
      'ports',
      { containerPort: 80, protocol: 'T,]C' },
      'name',
    ])
    expect(fieldPath('a[b.c/d]["x]"][0]')).toEqual(['a', 'b.c/d', 'x]', 0])
  })

  it('of braces is a template only if they close', () => {
    expect(copiedIn('{'.repeat(LONG))).toBeUndefined()
    expect(copiedIn(`a: ${'{{'.repeat(LONG)} }}`)).toContain('template')
    expect(copiedIn('a: }}{{')).toBeUndefined()
  })

  it('of empty lines has no issuer and no applied field', () => {
    const blank = '\n'.repeat(LONG)
    expect(issuersIn({ files: draft(`${blank}- url: "https://a"${blank}url:`) })).toEqual([
      'https://a',
    ])
    const message = `failed to create typed patch object (a): ${blank}  .spec.a: expected string`
    expect(fieldsIn(message)).toEqual([{ field: '.spec.a', message: 'expected string' }])
  })

  it('is typed and cut by words', () => {
    const letters = 'a'.repeat(LONG)
    expect(typedPart(`${letters}\n!`)).toBe('!')
    expect(typedPart(`{${letters}`)).toBe(letters)
    const editor = new LineEditor({ lines: () => [], add: () => {} }, () => false)
    editor.insert(`${letters} \u{1d4d0}-b  `)
    editor.key('\x1b\x7f')
    expect(editor.line.text).toBe(`${letters} \u{1d4d0}-`)
    editor.key('\x17')
    expect(editor.line.text).toBe(`${letters} `)
    editor.key('\x17')
    expect(editor.line.text).toBe('')
  })
})

const draft = (authentication: string) => ({
  configuration: '',
  policy: '',
  webhook: '',
  tokens: '',
  authentication,
})
