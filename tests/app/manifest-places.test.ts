/** Where in a manifest's text the server's words about a field belong. */
import { describe, expect, it } from 'vitest'
import {
  fieldPath,
  locate,
  type ManifestDocument,
  parseManifest,
} from '../../src/app/features/manifests/documents'

const TEXT = `kind: Thing
metadata:
  labels:
    app.kubernetes.io/name: web
  finalizers: [a/b]
spec:
  containers:
    - name: a
      image: a:1
    - name: b
      image: b:1
      ports:
        - containerPort: 53
          hostPort: 1
        - containerPort: 53
          protocol: UDP
          hostPort: 2
`

it.each([
  ['spec.containers[0].image', ['spec', 'containers', 0, 'image']],
  ['metadata.labels[a.b/c]', ['metadata', 'labels', 'a.b/c']],
  ['.spec.containers[name="a]b"].image', ['spec', 'containers', { name: 'a]b' }, 'image']],
  ['.ports[containerPort=80,protocol="TCP"]', ['ports', { containerPort: 80, protocol: 'TCP' }]],
  ['.metadata.finalizers[="a/b"]', ['metadata', 'finalizers', { '': 'a/b' }]],
])('reads %s', (field, parts) => expect(fieldPath(field)).toEqual(parts))

describe('points at', () => {
  const { documents, lines } = parseManifest(TEXT)
  const placeOf = (field: string) => {
    const [start = 0] = locate(documents[0] as ManifestDocument, field) ?? []
    return `${lines.linePos(start).line} ${TEXT.slice(start).split(/[:\n]/)[0]}`
  }

  it.each([
    ['.spec.containers[name="b"].image', '11 image'],
    ['spec.containers[1].image', '11 image'],
    ['.metadata.labels.app.kubernetes.io/name', '4 app.kubernetes.io/name'],
    ['.metadata.finalizers[="a/b"]', '5 a/b]'],
    ['.spec.containers[name="b"].ports[containerPort=53,protocol="UDP"].hostPort', '17 hostPort'],
    ['.spec.containers[name="b"].ports[containerPort=53,protocol="TCP"].hostPort', '14 hostPort'],
    ['spec.containers.image', '9 image'],
  ])('%s', (field, place) => expect(placeOf(field)).toBe(place))

  it('the deepest part that is there', () => {
    expect(placeOf('.spec.containers[name="c"].image')).toBe('7 containers')
    expect(placeOf('spec.containers[1].args')).toBe('10 name')
  })
})

it('finds duplicate keys, each at its second position', () => {
  const mistakes = (text: string) =>
    parseManifest(text).problems.map(({ startLine, startColumn }) => `${startLine}:${startColumn}`)
  expect(
    mistakes('kind: Thing\ndata:\n  a: 1\n  b: [{ c: 1, c: 2 }]\n  a: 2\nkind: Other\n'),
  ).toEqual(['4:15', '5:3', '6:1'])
  expect(mistakes('kind: Thing\ndata: { a: 1, b: 1 }\nmore: { a: 1 }\n')).toEqual([])
})
