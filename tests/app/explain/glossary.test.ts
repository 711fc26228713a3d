/**
 * The glossary covers every term of the engine. The terms are read from the engine's own sources.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { WordKind } from '../../../src/app/features/explain/entry'
import { entryOf, GLOSSARY } from '../../../src/app/features/explain/glossary'
import {
  AUDIT_ID_HEADER,
  CERTIFICATE_HEADER,
  CLIENT_HEADER,
  IDEMPOTENCY_HEADER,
  MEDIA_TYPE,
} from '../../../src/engine/core/names'
import { requestInfo } from '../../../src/engine/http/request-info'

const ENGINE = fileURLToPath(new URL('../../../src/engine/', import.meta.url))

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(ENGINE, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
    .map((file) => readFileSync(join(ENGINE, folder, file), 'utf8'))
}

/** What the pattern's first group finds in the sources below a folder, each once. */
function foundIn(folder: string, pattern: RegExp): string[] {
  return [
    ...new Set(
      sourcesBelow(folder).flatMap((text) =>
        [...text.matchAll(pattern)].map(([, found]) => found ?? ''),
      ),
    ),
  ].sort()
}

const missing = (kind: WordKind, names: readonly string[]): string[] =>
  names.filter((name) => entryOf(kind, name) === undefined)

describe('the glossary', () => {
  it('knows every reason that the error factory is given', () => {
    const reasons = foundIn('.', /failure\(\s*\d+,\s*'([A-Z]\w+)'/g)
    expect(reasons.length).toBeGreaterThan(14)
    expect(missing('reason', reasons)).toEqual([])
  })

  it('knows every code that the error factory is given', () => {
    const codes = foundIn('.', /failure\(\s*(\d+),/g)
    expect(codes.length).toBeGreaterThan(10)
    expect(missing('code', codes)).toEqual([])
  })

  it('knows every cause that a field can have', () => {
    const causes = foundIn('.', /'(FieldValue\w+|FieldManagerConflict)'/g)
    expect(causes.length).toBeGreaterThan(8)
    expect(missing('cause', causes)).toEqual([])
  })

  it('knows every verb, on resources and elsewhere', () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
    const paths = [
      '/api/v1/pods',
      '/api/v1/pods?watch=1',
      '/api/v1/namespaces/a/pods/b',
      '/version',
    ]
    const verbs = [
      ...new Set(methods.flatMap((method) => paths.map((path) => requestInfo(method, path).verb))),
    ].filter((verb) => verb !== 'head')
    expect(verbs).toEqual(
      expect.arrayContaining([
        'get',
        'list',
        'watch',
        'create',
        'update',
        'patch',
        'delete',
        'deletecollection',
      ]),
    )
    expect(missing('verb', verbs)).toEqual([])
    expect(
      missing(
        'verb',
        foundIn('authorization', /'(bind|escalate|impersonate|use|approve|sign|attest)'/g),
      ),
    ).toEqual([])
  })

  it('knows every stage of a request', () => {
    const [, list = ''] =
      /export type Stage =((?:\s*\|\s*'[^']+')+)/.exec(
        readFileSync(join(ENGINE, 'telemetry/trace.ts'), 'utf8'),
      ) ?? []
    const stages = [...list.matchAll(/'([^']+)'/g)].map(([, stage]) => stage ?? '')
    expect(stages).toContain('mutating admission')
    expect(missing('stage', stages)).toEqual([])
  })

  it('knows every admission plugin', () => {
    const plugins = [
      ...readFileSync(join(ENGINE, 'admission/plugins.ts'), 'utf8').matchAll(
        /\bo(?:n|ff)\('(\w+)'/g,
      ),
    ].map(([, name]) => name ?? '')
    expect(plugins.length).toBeGreaterThan(30)
    expect(
      missing('plugin', plugins),
      'describe it in src/app/features/explain/glossary/admission.ts',
    ).toEqual([])
  })

  it('knows every query parameter that is read', () => {
    const parameters = foundIn(
      '.',
      /query\.(?:get|all|has)\('(\w+)'\)|flag\([\w.]*query, '(\w+)'\)/g,
    )
    const flags = foundIn('http', /flag\([\w.]*query, '(\w+)'/g)
    const known = [...parameters, ...flags, 'access_token', 'stdin', 'stdout', 'stderr'].filter(
      Boolean,
    )
    expect(known.length).toBeGreaterThan(25)
    expect(missing('query', known)).toEqual([])
  })

  it('knows every header that is read or sent', () => {
    const read = foundIn('.', /header\('([\w-]+)'\)/g)
    const sent = foundIn('http', /headers(?:\['|\.)([a-z-]+)'?\]? = /g)
    const beginnings = foundIn('authentication', /_PREFIX = '(impersonate-[\w-]+)'/g)
    const own = [AUDIT_ID_HEADER, CERTIFICATE_HEADER, CLIENT_HEADER, IDEMPOTENCY_HEADER]
    const all = [
      ...read,
      ...sent,
      ...own,
      ...beginnings.map((beginning) => `${beginning}scopes`),
      'impersonate-group',
      'warning',
      'retry-after',
    ]
    expect(all.length).toBeGreaterThan(20)
    expect(missing('header', all)).toEqual([])
    expect(
      missing(
        'media',
        Object.values(MEDIA_TYPE).filter((type) => type !== MEDIA_TYPE.protobufAlias),
      ),
    ).toEqual([])
  })

  it('knows every condition that something here sets', () => {
    const conditions = foundIn('.', /type: '([A-Z][A-Za-z]+)',\s*status: /g)
    expect(conditions.length).toBeGreaterThan(4)
    const events = GLOSSARY.filter(({ kind }) => kind === 'event').map(({ name }) => name)
    expect(
      missing(
        'condition',
        conditions.filter((type) => !events.includes(type)),
      ),
    ).toEqual([])
  })

  it('knows every member of an audit event', () => {
    const source = readFileSync(join(ENGINE, 'telemetry/audit/event.ts'), 'utf8')
    const [, body = ''] = /return \{\n {4}kind: 'Event',([\s\S]*?)\n {2}\}\n/.exec(source) ?? []
    const members = [...body.matchAll(/(?:^ {4}|\{ )([a-zA-Z]+)(?=:| \})/gm)]
      .map(([, name]) => name ?? '')
      .filter((name) => name !== 'apiVersion')
    expect(members).toEqual(expect.arrayContaining(['auditID', 'requestObject', 'annotations']))
    expect(missing('audit', members)).toEqual([])
  })

  it('describes each, with a link', () => {
    expect(
      GLOSSARY.filter(({ text, see }) => text.length < 20 || see.length === 0).map(({ id }) => id),
    ).toEqual([])
    expect(new Set(GLOSSARY.map(({ id }) => id)).size).toBe(GLOSSARY.length)
  })
})

describe('looking a word up', () => {
  it('takes headers in any case, and those of which only the beginning is fixed', () => {
    expect(entryOf('header', 'Content-Type')?.name).toBe('content-type')
    expect(entryOf('header', 'Impersonate-Extra-Scopes')?.name).toBe('impersonate-extra-')
  })

  it('takes the most particular media type', () => {
    expect(entryOf('media', 'application/json;as=Table;g=meta.k8s.io;v=v1')?.name).toBe(
      'application/json;as=Table',
    )
    expect(entryOf('media', 'application/json')?.name).toBe('application/json')
  })

  it('finds a warning by its text, and describes any warning', () => {
    expect(entryOf('warning', 'unknown field "spec.replicsa"')?.name).toBe('unknown field')
    expect(
      entryOf(
        'warning',
        'policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+',
      )?.name,
    ).toBe('deprecated version')
    expect(entryOf('warning', 'something else')?.name).toBe('a warning')
  })

  it('has no entry for names of users', () => {
    expect(entryOf('reason', 'DeniedByOurPolicy')).toBeUndefined()
  })
})
