/**
 * Objects that the learner opened in the page. The page has them already and sends no request, so
 * each counts as the read that kubectl would have sent.
 */
import type { SeenRequest } from '../../../lessons/check'
import { useActors } from '../../state/actors'
import { pathOf } from '../../state/discovery'
import { type SelectedObject, useView } from '../../state/view'

const reads = new Map<string, SeenRequest>()
const OK = { code: 200 }

export const readByClick = (): readonly SeenRequest[] => [...reads.values()]

export const clearReads = (): void => reads.clear()

useView.subscribe(({ selected }, before) => {
  if (selected !== undefined && selected !== before.selected) note(selected)
})

function note({ resource, namespace, name }: SelectedObject): void {
  const user = { username: useActors.getState().actor.name }
  const requestURI = pathOf(resource, namespace, name)
  const scope = namespace === '' ? {} : { namespace }
  const objectRef = { resource: resource.resource, ...scope, name }
  reads.set(requestURI, { verb: 'get', requestURI, user, objectRef, responseStatus: OK })
}
