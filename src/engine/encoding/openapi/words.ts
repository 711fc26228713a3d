/** Descriptions are large, so they are loaded on the first request. */

import { entryOf } from '../../core/object'
import { loadDescriptions } from '../../generated/load-descriptions'
import { changesOf } from '../../release-tables/changes'
import { BASE_RELEASE } from '../../release-tables/minor'
import { hasCome } from '../../releases/release'
import type { Words } from './documents'

/** Packages whose newer types describe removed versions. */
const CONTINUED: Record<string, string[]> = { extensions: ['apps.v1', 'networking.v1'] }

/** Later types of the same name: removed versions have no descriptions. */
function newerTypes(type: string): string[] {
  const [, root = '', group = '', name = ''] = /^(.*)\.([^.]+)\.v\d[^.]*\.([^.]+)$/.exec(type) ?? []
  return (entryOf(CONTINUED, group) ?? [`${group}.v1`, `${group}.v2`])
    .map((place) => `${root}.${place}.${name}`)
    .filter((other) => other !== type)
}

/** Called atomic lists although their JSON is not a list. */
const CALLED_LISTS = ['io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec.caBundle']
/** Until Kubernetes 1.34. */
const EARLIER_CALLED_LISTS = [
  'io.k8s.apimachinery.pkg.apis.meta.v1.Status.details',
  'io.k8s.api.certificates.v1.CertificateSigningRequestSpec.request',
  'io.k8s.api.certificates.v1.CertificateSigningRequestStatus.certificate',
]

const loading = new Map<string, Promise<Words>>()

export function loadWords(release: string = BASE_RELEASE): Promise<Words> {
  let words = loading.get(release)
  if (words === undefined) {
    words = wordsOf(release)
    loading.set(release, words)
  }
  return words
}

function wordsOf(release: string): Promise<Words> {
  return loadDescriptions().then(({ DESCRIPTIONS, LATER, PARAMETERS, TEXTS }): Words => {
    const later = Object.entries(LATER)
      .filter(([since]) => hasCome(since, release))
      .map(([, changed]) => changed)
      .reverse()
    const calledLists = new Set(
      changesOf(release).has('FewerMembersCalledLists')
        ? CALLED_LISTS
        : [...CALLED_LISTS, ...EARLIER_CALLED_LISTS],
    )
    const short = (type: string) => type.replace(/^io\.k8s\./, '')
    const find = (type: string, field: string) => {
      for (const { types } of later) {
        const text = entryOf(entryOf(types, short(type)) ?? {}, field)
        if (text !== undefined) return text
      }
      const described = [short(type), ...newerTypes(short(type))].find(
        (name) => entryOf(entryOf(DESCRIPTIONS, name) ?? {}, field) !== undefined,
      )
      return described === undefined
        ? undefined
        : TEXTS[entryOf(entryOf(DESCRIPTIONS, described) ?? {}, field) ?? -1]
    }
    return {
      ofType: (name) => find(name, ''),
      calledLists,
      plainElements: changesOf(release).has('ElementsWithoutDefaults'),
      ofField: (type, field) => find(type, field),
      ofParameter: (name) =>
        later
          .map(({ parameters }) => entryOf(parameters, name))
          .find((text) => text !== undefined) ?? entryOf(PARAMETERS, name),
    }
  })
}
