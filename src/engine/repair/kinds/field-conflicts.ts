/** Repairs of conflicts between field managers. kubernetes.io, "Server-Side Apply", "Conflicts". */
import { placeOfPath } from '../place'
import type { RepairKind, SentRequest } from '../repair'

const plural = (count: number): string => (count === 1 ? 'the field' : `${count} fields`)

export const releaseFields: RepairKind = {
  name: 'ReleaseFields',
  candidates({ grounds, object }) {
    if (grounds?.by !== 'field ownership' || object === undefined) return []
    const places = grounds.conflicts.flatMap((path) => {
      const place = placeOfPath(object, path)
      return place === undefined || place.length === 0 ? [] : [place]
    })
    const edits = [...new Map(places.map((place) => [JSON.stringify(place), { place }])).values()]
    if (edits.length === 0) return []
    return [{ title: `Leave ${plural(edits.length)} to the other manager`, edits }]
  },
}

export const forceConflicts: RepairKind = {
  name: 'ForceConflicts',
  candidates({ grounds, request }) {
    if (grounds?.by !== 'field ownership') return []
    const fields = new Set(grounds.conflicts.map((path) => path.join('\n'))).size
    return [{ title: `Take over ${plural(fields)} by force`, request: forced(request) }]
  },
}

function forced(request: SentRequest): SentRequest {
  const [path, query = ''] = request.path.split('?')
  const others = query.split('&').filter((part) => part !== '' && !part.startsWith('force='))
  return { ...request, path: `${path}?${[...others, 'force=true'].join('&')}` }
}
