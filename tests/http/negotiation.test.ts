/** Rare Accept headers; each was compared with k8s.io/apiserver 1.31. */
import { expect, test } from 'vitest'
import {
  CUSTOM_OBJECT,
  CUSTOM_WATCH,
  negotiate,
  OBJECT,
  PLAIN,
} from '../../src/engine/http/negotiation'

test.each([
  ['*', 'json'],
  ['text/html, *;q=0.1', 'json'],
  ['application/yaml;sv=v1', 'yaml'],
  ['application/yaml;sv=v2', undefined],
  ['application/yaml;sv=', 'yaml'],
  ['application/yaml;stream=watch', undefined],
  ['application/yaml;stream=', 'yaml'],
  ['application/yaml;stream', 'yaml'],
  ['application/json;sv=v2=x', 'json'],
  ['application/json;sv=v2=', undefined],
])('%s selects %s', (accept, format) => {
  expect(negotiate(accept, OBJECT)?.format).toBe(format)
})

test('rejects a version for documents that are not objects', () => {
  expect(negotiate('application/json;sv=v1', PLAIN)).toBe(undefined)
})

// The metadata client also requests custom resources this way (k8s.io/client-go/metadata).
test.each([
  [CUSTOM_OBJECT, 'application/vnd.kubernetes.protobuf', undefined],
  [CUSTOM_OBJECT, 'application/vnd.kubernetes.protobuf,application/json', 'application/json'],
  [
    CUSTOM_OBJECT,
    'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
    'application/vnd.kubernetes.protobuf',
  ],
  [
    CUSTOM_OBJECT,
    'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1,application/json',
    'application/json',
  ],
  [CUSTOM_WATCH, 'application/vnd.kubernetes.protobuf,application/json', 'application/json'],
  [
    CUSTOM_WATCH,
    'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    'application/vnd.kubernetes.protobuf;stream=watch',
  ],
])('encodes only metadata of custom resources as Protobuf', (endpoint, accept, contentType) => {
  expect(negotiate(accept, endpoint)?.contentType).toBe(contentType)
})
