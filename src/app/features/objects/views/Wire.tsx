import { lazy, Suspense, useEffect, useState } from 'react'
import { Empty } from '../../../components/Empty'
import { prettyText, sizeText } from '../../../components/format'
import { Segments } from '../../../components/Segments'
import { useActors } from '../../../state/actors'
import { ApiFailure, type BinaryResponse, requestBytes } from '../../../state/client'
import { pathOf } from '../../../state/discovery'
import { queryOfOne, useMoment } from '../../../state/moment'
import type { SelectedObject } from '../../../state/view'
import { highlighted } from '../../editor/YamlView'
import { WIRE } from '../texts'
import { TableView } from './TableView'

const Bytes = lazy(() => import('./Bytes'))

const FORMS = [
  { value: 'json', title: WIRE.json, accept: 'application/json' },
  { value: 'yaml', title: WIRE.yaml, accept: 'application/yaml' },
  { value: 'protobuf', title: WIRE.protobuf, accept: 'application/vnd.kubernetes.protobuf' },
  { value: 'table', title: WIRE.table, accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
] as const
type Form = (typeof FORMS)[number]['value']

type Responses = Partial<Record<Form, BinaryResponse | { failure: string }>>

export default function Wire({ selected, version }: { selected: SelectedObject; version: string }) {
  const [form, setForm] = useState<Form>('protobuf')
  const responses = useResponses(selected, version)
  const response = responses[form]
  const past = useMoment(({ revision }) => revision !== undefined)
  const { accept } = FORMS.find(({ value }) => value === form) as (typeof FORMS)[number]
  return (
    <section className="wire" aria-label={WIRE.title}>
      <div className="bar sub">
        <Segments label={WIRE.encoding} value={form} choices={FORMS} onChoose={setForm} />
      </div>
      <dl className="wire-headers">
        <div>
          <dt>{WIRE.accept}</dt>
          <dd>{accept}</dd>
        </div>
        {response && 'headers' in response && (
          <>
            <div>
              <dt>{WIRE.contentType}</dt>
              <dd>{response.headers['content-type']}</dd>
            </div>
            <div>
              <dt>{WIRE.size}</dt>
              <dd>
                {sizeText(response.bytes.length)}
                {form !== 'json' && shareOf(response, responses.json)}
              </dd>
            </div>
          </>
        )}
      </dl>
      {past && <p className="note">{WIRE.past}</p>}
      {response === undefined ? (
        <Empty>{WIRE.loading}</Empty>
      ) : 'failure' in response ? (
        <Empty icon="warning" title={WIRE.unavailable}>
          {response.failure}
        </Empty>
      ) : (
        <Suspense fallback={<Empty>{WIRE.loading}</Empty>}>
          <Body key={form} form={form} response={response} />
        </Suspense>
      )}
    </section>
  )
}

/** How it weighs against JSON. */
function shareOf({ bytes }: BinaryResponse, json: Responses['json']): string {
  if (json === undefined || 'failure' in json) return ''
  return WIRE.percent(Math.round((bytes.length / json.bytes.length) * 100))
}

function Body({ form, response }: { form: Form; response: BinaryResponse }) {
  if (form === 'protobuf') return <Bytes bytes={response.bytes} />
  const text = new TextDecoder().decode(response.bytes)
  if (form === 'table') return <TableView text={text} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <pre className="scroll wire-text" tabIndex={0}>
      {form === 'yaml'
        ? text.split('\n').map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its position
            <span key={index}>
              {highlighted(line)}
              {'\n'}
            </span>
          ))
        : prettyText(text)}
    </pre>
  )
}

/** All forms at once, to compare their sizes. */
function useResponses({ resource, namespace, name }: SelectedObject, version: string): Responses {
  const actor = useActors((state) => state.actor)
  const revision = useMoment((state) => state.revision)
  const [responses, setResponses] = useState<Responses>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another version or user
  useEffect(() => {
    const control = new AbortController()
    const path =
      revision === undefined
        ? pathOf(resource, namespace, name)
        : `${pathOf(resource, namespace)}${queryOfOne(revision, name)}`
    for (const { value, accept } of FORMS) {
      requestBytes({ method: 'GET', path, accept, origin: 'page', signal: control.signal })
        .catch((error: unknown) => ({
          failure: error instanceof ApiFailure ? error.message : WIRE.failed(String(error)),
        }))
        .then((response) => {
          if (!control.signal.aborted) setResponses((before) => ({ ...before, [value]: response }))
        })
    }
    return () => control.abort()
  }, [resource, namespace, name, version, actor, revision])
  return responses
}
