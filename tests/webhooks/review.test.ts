/**
 * Decoding of reviews that webhooks return. The messages are those of kube-apiserver 1.31 for the
 * same responses.
 */
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/engine/core/object'
import { ClientFailure } from '../../src/engine/webhooks/client'
import { reviewIn } from '../../src/engine/webhooks/review'
import { ADMISSION_REVIEW, CONVERSION_REVIEW } from '../../src/engine/webhooks/review-types'

const ADMISSION = 'admission.k8s.io'
const CONVERSION = 'apiextensions.k8s.io'
const MISFIT = 'json: cannot unmarshal'
const NO_KIND = "couldn't get version/kind; json parse error: json: cannot unmarshal"

/** The error of decoding a response to a review of a version; undefined without one. */
function errorOf(version: string, body: Json, group = ADMISSION): string | undefined {
  const expected =
    group === ADMISSION
      ? { group, version, kind: 'AdmissionReview', type: ADMISSION_REVIEW }
      : { group, version, kind: 'ConversionReview', type: CONVERSION_REVIEW }
  const contentType = 'application/json'
  try {
    reviewIn({ status: 200, contentType, body: JSON.stringify(body) }, expected)
    return undefined
  } catch (error) {
    if (error instanceof ClientFailure) return error.message
    throw error
  }
}

const admission = (version: string | undefined, response: Json): Json => ({
  ...(version && { kind: 'AdmissionReview', apiVersion: `${ADMISSION}/${version}` }),
  response,
})
const request = (members: Json): Json => ({
  kind: 'AdmissionReview',
  apiVersion: `${ADMISSION}/v1`,
  request: members,
})

describe.each(['v1', 'v1beta1'])('a response to a review of %s', (sent) => {
  describe.each(['v1', 'v1beta1', undefined])('of version %s', (returned) => {
    const named = returned ?? sent

    it.each<[Json, string]>([
      [{ uid: 1 }, `AdmissionResponse.response.uid of type types.UID`],
      [{ uid: 1, allowed: 'x' }, 'AdmissionResponse.response.uid of type types.UID'],
      [{ allowed: 1 }, 'AdmissionResponse.response.allowed of type bool'],
      [{ status: 1 }, 'AdmissionResponse.response.status of type v1.Status'],
      [{ status: { message: 1 } }, 'Status.response.status.message of type string'],
      [{ patch: 5 }, 'AdmissionResponse.response.patch of type []uint8'],
      [{ patchType: 1 }, `AdmissionResponse.response.patchType of type ${named}.PatchType`],
      [{ warnings: 1 }, 'AdmissionResponse.response.warnings of type []string'],
      [{ warnings: [1] }, 'AdmissionResponse.response.warnings of type string'],
      [1, `AdmissionReview.response of type ${named}.AdmissionResponse`],
    ])('with a wrong type: %j', (response, field) => {
      expect(errorOf(sent, admission(returned, response))).toBe(
        `${MISFIT} number into Go struct field ${field}`,
      )
    })

    it.each<[Json]>([[{ uid: null }], [{ allowed: null }], [null], [{ unknown: 1 }]])(
      'decodes %j before its version counts',
      (response) => {
        const message = `converting (${named}.AdmissionReview) to (${sent}.AdmissionReview): unknown conversion`
        expect(errorOf(sent, admission(returned, response))).toBe(
          named === sent ? undefined : message,
        )
      },
    )
  })

  it.each<[Json, string]>([
    [request({ uid: 1 }), 'AdmissionRequest.request.uid of type types.UID'],
    [request({ dryRun: 1 }), 'AdmissionRequest.request.dryRun of type bool'],
    [request({ operation: 1 }), 'AdmissionRequest.request.operation of type v1.Operation'],
    [request({ kind: { kind: 1 } }), 'GroupVersionKind.request.kind.kind of type string'],
    [{ kind: 'Status', code: true, apiVersion: 'x/v2' }, 'Status.code of type int32'],
    [{ kind: 'APIGroup', apiVersion: 'v1', name: 1 }, 'APIGroup.name of type string'],
    [
      { kind: 'DeleteOptions', apiVersion: `${ADMISSION}/v1`, gracePeriodSeconds: true },
      'DeleteOptions.gracePeriodSeconds of type int64',
    ],
  ])('is decoded as the kind that it names: %j', (body, field) => {
    expect(errorOf(sent, body)?.replace(/ (number|bool) into/, '')).toBe(
      `${MISFIT} Go struct field ${field}`,
    )
  })

  it.each<[Json, string]>([
    [
      { kind: 'Status', apiVersion: 'foo/v2' },
      `converting (v1.Status) to (${sent}.AdmissionReview): unknown conversion`,
    ],
    [
      { kind: 'ListOptions', apiVersion: `${ADMISSION}/v1` },
      `converting (v1.ListOptions) to (${sent}.AdmissionReview): unknown conversion`,
    ],
    [
      { kind: 'ListOptions', apiVersion: 'apps/v1' },
      'no kind "ListOptions" is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:100"',
    ],
    [
      { kind: 'AdmissionReview', apiVersion: `${ADMISSION}/v2` },
      `no kind "AdmissionReview" is registered for version "${ADMISSION}/v2" in scheme "pkg/runtime/scheme.go:100"`,
    ],
    [
      { kind: 'AdmissionReview', apiVersion: `${ADMISSION}/__internal` },
      `no kind "AdmissionReview" is registered for the internal version of group "${ADMISSION}" in scheme "pkg/runtime/scheme.go:100"`,
    ],
    [{ kind: 'AdmissionReview', apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
    [
      { kind: 1, apiVersion: `${ADMISSION}/v1` },
      `${NO_KIND} number into Go struct field .kind of type string`,
    ],
    [
      { kind: 'AdmissionReview', apiVersion: 1 },
      `${NO_KIND} number into Go struct field .apiVersion of type string`,
    ],
  ])('of another kind: %j', (body, message) => {
    expect(errorOf(sent, body)).toBe(message)
  })

  it.each<[Json, string]>([
    [{ uid: 1 }, 'ConversionResponse.response.uid of type types.UID'],
    [{ result: 1 }, 'ConversionResponse.response.result of type v1.Status'],
    [
      { convertedObjects: 1 },
      'ConversionResponse.response.convertedObjects of type []runtime.RawExtension',
    ],
  ])('of a conversion webhook in either version: %j', (response, field) => {
    for (const returned of ['v1', 'v1beta1']) {
      const body = { kind: 'ConversionReview', apiVersion: `${CONVERSION}/${returned}`, response }
      expect(errorOf(sent, body, CONVERSION)).toBe(`${MISFIT} number into Go struct field ${field}`)
    }
  })
})
