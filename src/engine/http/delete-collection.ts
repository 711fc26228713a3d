/** Deletes in order. The response lists the objects as they were. */
import { deleteObject, warnOfDefaultPropagation } from '../registry/delete'
import { listObjects, parseRevision } from '../registry/list'
import { selectionOf } from '../registry/selection'
import { deletionContext, invalidOptions, readDeleteOptions } from './delete-options'
import { type Exchange, READ_ONLY, registryContext, responseContext } from './exchange'
import type { ApiResponse } from './messages'
import { listOptions } from './options'
import { respondList } from './respond'
import { ApiError } from './status'
import { invalidOption } from './unsafe-delete'

const NOT_FOR_COLLECTIONS =
  'is not allowed with DELETECOLLECTION, try again after removing the option'

export async function deleteCollection(exchange: Exchange): Promise<ApiResponse> {
  const { info, resource } = exchange
  const raw = listOptions(info.query, false, { watchList: false })
  const selection = selectionOf(resource, raw.selectors)
  const options = await readDeleteOptions(exchange)
  if (options.isUnsafe) throw invalidOptions([invalidOption(NOT_FOR_COLLECTIONS)])
  warnOfDefaultPropagation(registryContext(exchange, READ_ONLY), options)
  parseRevision(raw.resourceVersion, true)
  const list = await listObjects(registryContext(exchange, READ_ONLY), { ...raw, selection })
  for (const item of list.items) {
    const { name = '', namespace = '' } = item.object.metadata
    const context = { ...deletionContext(exchange, options), name, namespace, ofCollection: true }
    try {
      await deleteObject(context, options)
    } catch (error) {
      // Another client deleted the object first.
      if (!(error instanceof ApiError) || error.code !== 404) throw error
    }
  }
  return respondList(responseContext(exchange), list)
}
