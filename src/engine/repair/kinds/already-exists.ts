/** A create of an object that exists becomes an update. */
import { MEDIA_TYPE } from '../../core/names'
import { goQuote } from '../../schema/go-text'
import { pathOf } from '../rejection'
import type { Rejection, RepairKind } from '../repair'

function itemPath({ request, status, object }: Rejection): string | undefined {
  const name = status.details?.name
  if (status.reason !== 'AlreadyExists' || request.method !== 'POST' || name === undefined)
    return undefined
  return object === undefined ? undefined : `${pathOf(request)}/${encodeURIComponent(name)}`
}

const queryOf = ({ request: { path } }: Rejection): string => path.split('?')[1] ?? ''

export const applyInsteadOfCreate: RepairKind = {
  name: 'ApplyInsteadOfCreate',
  candidates(rejection) {
    const path = itemPath(rejection)
    if (path === undefined) return []
    const query = queryOf(rejection)
    const manager = /(?:^|&)fieldManager=/.test(query) ? [] : ['fieldManager=kubectl']
    const parameters = [query, ...manager].filter((part) => part !== '').join('&')
    return [
      {
        title: `Apply to the existing ${goQuote(rejection.status.details?.name ?? '')}`,
        request: {
          ...rejection.request,
          method: 'PATCH',
          path: `${path}?${parameters}`,
          contentType: MEDIA_TYPE.applyPatch,
        },
      },
    ]
  },
}

export const replaceInsteadOfCreate: RepairKind = {
  name: 'ReplaceInsteadOfCreate',
  candidates(rejection) {
    const path = itemPath(rejection)
    if (path === undefined) return []
    const query = queryOf(rejection)
    return [
      {
        title: `Replace the existing ${goQuote(rejection.status.details?.name ?? '')}`,
        request: {
          ...rejection.request,
          method: 'PUT',
          path: query === '' ? path : `${path}?${query}`,
        },
      },
    ]
  },
}
