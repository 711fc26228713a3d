/** `spec.group` of v1beta1 is `spec.groups` in v1. */
import type { Conversion } from '../conversion-type'
import { renamed, withObject } from './members'

const HUB = { group: 'authorization.k8s.io', version: 'v1' }

export const accessReviewV1beta1: Conversion = {
  hub: HUB,
  toHub: (object) => ({
    ...withObject(object, 'spec', (spec) => renamed(spec, 'group', 'groups')),
    apiVersion: 'authorization.k8s.io/v1',
  }),
  fromHub: (object) => ({
    ...withObject(object, 'spec', (spec) => renamed(spec, 'groups', 'group')),
    apiVersion: 'authorization.k8s.io/v1beta1',
  }),
}
