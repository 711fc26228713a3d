/** Removing or setting a field of a manifest changes nothing else in its text. */
import { describe, expect, it } from 'vitest'
import { editedManifest } from '../../src/app/features/manifests/edit'

const REPLICAS = ['f:spec', 'f:replicas']
const IMAGE = ['f:spec', 'f:containers', 'k:{"name":"b"}', 'f:image']

const TEXT = `# The shop.
apiVersion: v1 # here
kind: Thing
metadata:
  name: a

spec:
  replicas: 3
  containers:
    - name: a
      image: "a:1"
    - name: b
      # pinned
      image: b:1
---
apiVersion: v1
kind:   Other
data: {x: 'on'}
`

describe('leaving out', () => {
  it('takes the field alone', () => {
    expect(editedManifest(TEXT, 2, [{ path: REPLICAS, value: undefined }])).toBe(
      TEXT.replace('  replicas: 3\n', ''),
    )
  })

  it('takes what is empty then', () => {
    const text = 'kind: Thing\nmetadata:\n  name: a\nspec:\n  replicas: 3\n'
    expect(editedManifest(text, 1, [{ path: REPLICAS, value: undefined }])).toBe(
      'kind: Thing\nmetadata:\n  name: a\n',
    )
  })

  it('passes over what is not there, and documents that are not', () => {
    expect(editedManifest(TEXT, 2, [{ path: ['f:spec', 'f:none'], value: undefined }])).toBe(TEXT)
    expect(editedManifest(TEXT, 5, [{ path: REPLICAS, value: undefined }])).toBe(TEXT)
    expect(editedManifest('', 1, [{ path: REPLICAS, value: undefined }])).toBe('')
  })

  it('takes several items of a list', () => {
    const text = 'kind: Thing\nlist:\n- name: a\n  x: 1\n- name: b\n  x: 2\n- name: c\n'
    const gone = (name: string) => ({ path: ['f:list', `k:{"name":"${name}"}`], value: undefined })
    expect(editedManifest(text, 1, [gone('a'), gone('b')])).toBe('kind: Thing\nlist:\n- name: c\n')
  })
})

describe('setting', () => {
  it('finds the item of a list by its key, and keeps comments', () => {
    expect(editedManifest(TEXT, 2, [{ path: IMAGE, value: 'b:2' }])).toBe(
      TEXT.replace('b:1', 'b:2'),
    )
  })

  it('reaches later documents, and keeps texts that look like something else', () => {
    const edited = editedManifest(TEXT, 16, [{ path: ['f:data', 'f:x'], value: 'off' }])
    expect(edited).toBe(TEXT.replace('kind:   Other', 'kind: Other').replace("'on'", "'off'"))
  })

  it('writes whole structures', () => {
    const text = 'kind: Thing\nspec:\n  selector:\n    a: b\n'
    expect(editedManifest(text, 1, [{ path: ['f:spec', 'f:selector'], value: { c: 'yes' } }])).toBe(
      'kind: Thing\nspec:\n  selector:\n    c: "yes"\n',
    )
  })

  it('reaches the items of a List', () => {
    const text =
      'apiVersion: v1\nkind: List\nitems:\n  - kind: Thing\n    spec:\n      replicas: 3\n  - kind: Thing\n    spec:\n      replicas: 4\n'
    expect(editedManifest(text, 7, [{ path: REPLICAS, value: 5 }])).toBe(text.replace('4', '5'))
  })
})
