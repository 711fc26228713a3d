/** The palette's ranking, and fields found by their paths. */
import { array, integer, property, assert as propertyHolds, stringMatching } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsOf, pathIn, readPath } from '../../src/app/features/search/fields'
import { textOfKind } from '../../src/app/features/search/kind-terms'
import { best, scoreOf, wordsOf } from '../../src/app/features/search/rank'
import type { ServedResource } from '../../src/app/state/discovery'
import { builtinModel } from '../../src/engine/schema/builtin'

const score = (query: string, title: string, more = '') => scoreOf(wordsOf(query), { title, more })

describe('how well something fits', () => {
  it('puts the whole name before a beginning, a word within, and anything within', () => {
    const fits = [
      score('web', 'web'),
      score('web', 'web-1'),
      score('web', 'my-web'),
      score('web', 'cobweb'),
    ]
    expect(fits).toEqual([...fits].sort((a, b) => b - a))
    expect(new Set(fits).size).toBe(4)
  })

  it('puts the name before what else it may be found by', () => {
    expect(score('deploy', 'cobdeploy')).toBeGreaterThan(score('deploy', 'web', 'deployment'))
  })

  it('puts a title that is all that was typed before one that is a word of it', () => {
    const [whole, word] = [
      score('bind role', 'bind role', 'access'),
      score('bind role', 'role', 'a kind; bind it to subjects'),
    ]
    expect(whole).toBeGreaterThan(word)
    expect(score('bind role', 'bind a role', 'access')).toBeGreaterThan(word)
  })

  it('takes another name for the title where it is typed in full', () => {
    const kind = textOfKind(served('', 'v1', 'pods', 'Pod', ['po']))
    for (const query of ['pod', 'pods', 'PO'])
      expect(scoreOf(wordsOf(query), kind)).toBe(score('pod', 'pod'))
    expect(scoreOf(wordsOf('pods'), kind)).toBeGreaterThan(score('pods', 'podsecurity'))
  })

  it('puts a title that begins with what was typed before a shorter one that has the same words here and there', () => {
    const [begins, scattered] = [
      'go to cluster: what runs, pods on nodes, time',
      'go to lessons: with a cluster',
    ].map((title) => score('go to cluster', title))
    expect(begins).toBeGreaterThan(Number(scattered))
  })

  it('wants every word, in any order', () => {
    expect(score('role admin', 'cluster-admin', 'clusterrole')).toBeGreaterThan(0)
    expect(score('admin nothing', 'cluster-admin', 'clusterrole')).toBe(0)
  })

  it('takes the shorter of two that fit alike', () => {
    expect(score('web', 'web-1')).toBeGreaterThan(score('web', 'web-with-a-long-name'))
  })

  it('gives what sorting everything would give', () => {
    const text = stringMatching(/^[ab-]{1,5}$/)
    propertyHolds(
      property(
        array(text, { maxLength: 40 }),
        text,
        integer({ min: 1, max: 8 }),
        (titles, word, most) => {
          const scored = titles
            .map((item) => ({ item, score: scoreOf([word], { title: item, more: '' }) }))
            .filter(({ score }) => score > 0)
          const found = [...scored].sort((a, b) => b.score - a.score).slice(0, most)
          expect(best(titles, [word], (title) => ({ title, more: '' }), most)).toEqual({
            found,
            fitting: scored.length,
          })
        },
      ),
    )
  })

  it('returns the best of ten thousand, and the number of matches', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `pod-${index}`)
    const { found, fitting } = best(names, ['pod-99'], (title) => ({ title, more: '' }), 3)
    expect(found.map(({ item }) => item)).toEqual(['pod-99', 'pod-990', 'pod-991'])
    expect(fitting).toBe(names.filter((name) => name.includes('pod-99')).length)
  })
})

const served = (
  group: string,
  version: string,
  resource: string,
  kind: string,
  shortNames: string[],
): ServedResource => ({
  group,
  version,
  resource,
  kind,
  namespaced: true,
  verbs: ['create', 'list'],
  shortNames,
  subresources: [],
})

const DEPLOYMENTS = served('apps', 'v1', 'deployments', 'Deployment', ['deploy'])
const PODS = served('', 'v1', 'pods', 'Pod', ['po'])

describe('fields by their paths', () => {
  const find = (path: string) => {
    const { of, names } = readPath(path, [DEPLOYMENTS, PODS])
    return of.flatMap((resource) => {
      const type = builtinModel().byKind(resource.group, resource.version, resource.kind)
      return type ? fieldsOf(type, resource, names) : []
    })
  }

  it('knows a path among other words', () => {
    expect(pathIn('explain deploy.spec.rep')).toBe('deploy.spec.rep')
    expect(pathIn('deploy web')).toBeUndefined()
  })

  it('completes the last name, by kind, plural or short name', () => {
    const expected = ['deployment.spec.replicas']
    expect(find('deployment.spec.replicas').map(({ title }) => title)).toEqual(expected)
    expect(find('deploy.spec.replic').map(({ title }) => title)).toEqual(expected)
    expect(find('deployments.SPEC.Replic')[0]?.address).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      path: ['spec', 'replicas'],
    })
  })

  it('goes through lists and maps', () => {
    expect(find('pod.spec.containers.imag').map(({ address }) => address.path)).toEqual([
      ['spec', 'containers', '[]', 'image'],
      ['spec', 'containers', '[]', 'imagePullPolicy'],
    ])
  })

  it('offers all fields behind a dot, and nothing below a single value', () => {
    expect(find('pod.spec.').length).toBeGreaterThan(20)
    expect(find('deployment.spec.replicas.x')).toEqual([])
  })

  it('looks for a path without a kind where it usually is', () => {
    expect(find('spec.nodeName').map(({ title }) => title)).toEqual(['pod.spec.nodeName'])
  })
})
