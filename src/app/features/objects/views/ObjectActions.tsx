import type { KubeObject } from '../../../../engine/core/object'
import { copyText } from '../../../components/copy'
import { Icon } from '../../../components/Icon'
import { Menu } from '../../../components/Menu'
import { sendRequest } from '../../../state/client'
import { pathOf } from '../../../state/discovery'
import { useMoment } from '../../../state/moment'
import { notify, type SelectedObject, useView } from '../../../state/view'
import { asCurl, asFetch, asKubectl, type KubectlRequest } from '../../copy-as/equivalents'
import { failureOf } from '../../manifests/failure'
import * as texts from '../shell-texts'
import { openAsManifest } from './manifest'

export function ObjectActions({
  selected,
  object,
  gone,
}: {
  selected: SelectedObject
  object: KubeObject
  gone: boolean
}) {
  const past = useMoment(({ revision }) => revision !== undefined)
  const request: KubectlRequest = {
    method: 'GET',
    path: pathOf(selected.resource, selected.namespace, selected.name),
    headers: { Accept: 'application/yaml', Authorization: 'Bearer' },
  }
  return (
    <>
      <button
        type="button"
        className="button small"
        onClick={() => void openAsManifest(object)}
        title={texts.editTitle}
      >
        <Icon name="edit" size={14} /> {texts.edit}
      </button>
      <Menu
        label={texts.copyObject}
        className="button quiet icon-only"
        face={<Icon name="copy" />}
        items={[
          {
            title: texts.copyYaml,
            hint: past ? texts.asItWas : texts.now,
            run: () => void copyYaml(object),
          },
          {
            title: texts.copyManifest,
            hint: texts.manifestHint,
            run: () => void copyManifest(object),
          },
          'line',
          {
            title: texts.copyKubectl,
            run: () => void copyText(asKubectl(request), texts.kubectl),
          },
          { title: texts.copyCurl, run: () => void copyText(asCurl(request), texts.curl) },
          { title: texts.copyFetch, run: () => void copyText(asFetch(request), texts.fetch) },
        ]}
      />
      <button
        type="button"
        className="button quiet icon-only"
        aria-label={texts.deleteLabel}
        title={past ? texts.past : texts.remove}
        disabled={gone || past}
        onClick={() => remove(selected)}
      >
        <Icon name="trash" />
      </button>
    </>
  )
}

const lines = () => import('../../editor/object-lines')

async function copyYaml(object: KubeObject): Promise<void> {
  await copyText((await lines()).objectText(object), texts.yamlCopied)
}

async function copyManifest(object: KubeObject): Promise<void> {
  await copyText((await lines()).asManifest(object), texts.manifestCopied)
}

function remove({ resource, namespace, name }: SelectedObject): void {
  const path = pathOf(resource, namespace, name)
  const run = async () => {
    const response = await sendRequest({
      method: 'DELETE',
      path,
      body: JSON.stringify({ propagationPolicy: 'Background' }),
    })
    if (response.ok) notify(texts.deleted(`${resource.kind} ${name}`))
    else notify(failureOf(response).message, 'bad')
  }
  useView.getState().set({
    question: {
      title: texts.question(`${resource.kind} ${name}`),
      text: texts.consequence,
      choices: [{ title: texts.remove, danger: true, run: () => void run() }],
    },
  })
}
