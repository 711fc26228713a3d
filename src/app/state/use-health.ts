import { useCluster } from './cluster'
import type { Health } from './health/health'
import type { SelectedObject } from './view'

/** @returns undefined for kinds without a health, and for objects that do not exist */
export const useHealth = (object: SelectedObject | undefined): Health | undefined =>
  useCluster(({ kinds }) => {
    if (object === undefined) return undefined
    const { resource, namespace, name } = object
    return kinds.get(`${resource.group}/${resource.resource}`)?.objects.get(`${namespace}/${name}`)
      ?.health
  })
