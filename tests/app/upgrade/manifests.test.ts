/** What people hand in for a rehearsal: many documents, lists, JSON, what Helm renders, and what cannot be read. */
import { describe, expect, it } from 'vitest'
import { readManifests } from '../../../src/app/features/releases/manifests'

const read = (text: string) => readManifests({ name: 'a.yaml', text })
const found = (text: string) =>
  read(text).manifests.map(({ source, line, object }) => [source, line, object.kind])

describe('manifests', () => {
  it('are the documents of a text, each with its line; empty ones are passed over', () => {
    expect(
      found('apiVersion: v1\nkind: Service\n---\n# nothing\n---\napiVersion: v1\nkind: Secret\n'),
    ).toEqual([
      ['a.yaml', 1, 'Service'],
      ['a.yaml', 6, 'Secret'],
    ])
  })

  it('are the items of a list', () => {
    const text =
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n- apiVersion: v1\n  kind: Secret\n'
    expect(found(text)).toEqual([
      ['a.yaml', 4, 'Service'],
      ['a.yaml', 6, 'Secret'],
    ])
    expect(read(text).manifests[1]?.text).toBe('apiVersion: v1\nkind: Secret\n')
  })

  it('are JSON too', () => {
    expect(found('{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"}}')).toEqual([
      ['a.yaml', 1, 'Service'],
    ])
  })

  it('come from the template that Helm names', () => {
    const text =
      '---\n# Source: shop/templates/web.yaml\napiVersion: v1\nkind: Service\n---\napiVersion: v1\nkind: Secret\n'
    expect(found(text)).toEqual([
      ['shop/templates/web.yaml', 3, 'Service'],
      ['a.yaml', 6, 'Secret'],
    ])
  })

  it('keep their text, comments in it included', () => {
    const text = 'apiVersion: v1\nkind: Service # mine\nmetadata:\n  # its name\n  name: a\n'
    expect(read(`${text}---\napiVersion: v1\nkind: Secret\n`).manifests[0]?.text).toBe(text)
  })
})

describe('what cannot be read', () => {
  it('is reported with its line, and the rest is read', () => {
    const { manifests, unreadable } = read(
      'apiVersion: v1\nkind: Service\n---\n{{ if .Values.on }}\n---\nimage: nginx\n',
    )
    expect(manifests).toHaveLength(1)
    expect(unreadable.map(({ source }) => source)).toEqual(['a.yaml', 'a.yaml'])
    expect(unreadable.map(({ line }) => line).sort()).toEqual([4, 6])
    expect(unreadable.find(({ line }) => line === 6)?.message).toBe(
      'not a Kubernetes object: apiVersion and kind missing',
    )
  })
})
