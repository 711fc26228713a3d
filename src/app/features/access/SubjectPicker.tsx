import { useState } from 'react'
import type { AccessSubject } from '../../../hosts/shared/access'
import { Icon } from '../../components/Icon'
import { Popover } from '../../components/Popover'
import { Segments } from '../../components/Segments'
import { useActors } from '../../state/actors'
import { useCluster } from '../../state/cluster'
import { AccountField } from './AccountField'
import { subjectOf, useAccess, useSubject } from './state'
import { permissionsOf, SHARED, SUBJECT, subjectKind, subjectName } from './texts'

const KINDS = [
  { value: 'User', title: SUBJECT.user },
  { value: 'Group', title: SUBJECT.group },
  { value: 'ServiceAccount', title: SHARED.serviceAccount },
] as const

const KNOWN_GROUPS = [
  'system:masters',
  'system:authenticated',
  'system:unauthenticated',
  'system:serviceaccounts',
  'system:nodes',
  'system:bootstrappers',
]

export function SubjectPicker() {
  const subject = useSubject()
  const chosen = useAccess((state) => state.subject)
  return (
    <Popover
      label={permissionsOf(subjectName(subject))}
      kind="dialog"
      className="button small subject"
      side="left"
      face={
        <>
          <Icon name={subject.kind === 'Group' ? 'people' : 'user'} size={14} />
          <span className="cut">{subjectName(subject)}</span>
          {chosen === undefined && <span className="soft wide-only">{SUBJECT.acting}</span>}
          <Icon name="down" size={12} />
        </>
      }
    >
      {(close) => <Choices close={close} />}
    </Popover>
  )
}

function Choices({ close }: { close: () => void }) {
  const set = useAccess((state) => state.set)
  const subject = useAccess((state) => state.subject)
  const actors = useActors((state) => state.actors)
  const actor = useActors((state) => state.actor)
  const choose = (chosen: AccessSubject | undefined) => {
    set({ subject: chosen })
    close()
  }
  return (
    <div className="subjects">
      <p className="menu-heading">{SUBJECT.permissionsOf}</p>
      <button
        type="button"
        className="menu-item"
        data-autofocus
        aria-pressed={subject === undefined}
        onClick={() => choose(undefined)}
      >
        <span className="menu-sign">{subject === undefined && <Icon name="check" />}</span>
        <span>{SUBJECT.current}</span>
        <span className="menu-hint cut">{actor.name}</span>
      </button>
      {actors.map((one) => {
        const isChosen =
          subject !== undefined && subject.kind === 'User' && subject.name === subjectOf(one).name
        return (
          <button
            key={one.name}
            type="button"
            className="menu-item"
            aria-pressed={isChosen}
            onClick={() => choose(subjectOf(one))}
          >
            <span className="menu-sign">{isChosen && <Icon name="check" />}</span>
            <span className="cut">{one.name}</span>
            <span className="menu-hint cut">{one.groups.join(', ') || SHARED.noGroups}</span>
          </button>
        )
      })}
      <AnySubject onChoose={choose} />
    </div>
  )
}

function AnySubject({ onChoose }: { onChoose(subject: AccessSubject): void }) {
  const subject = useAccess((state) => state.subject)
  const [kind, setKind] = useState<AccessSubject['kind']>(subject?.kind ?? 'ServiceAccount')
  const [name, setName] = useState(
    subject !== undefined && subject.kind !== 'ServiceAccount' ? subject.name : '',
  )
  const [groups, setGroups] = useState(
    subject?.kind === 'User' ? (subject.groups ?? []).join(', ') : '',
  )
  const kinds = useCluster((state) => state.kinds)
  const accounts = [...(kinds.get('/serviceaccounts')?.objects.values() ?? [])]
    .map((one) => `${one.namespace}/${one.name}`)
    .sort()
  const [account, setAccount] = useState<string>()
  const chosenAccount = account ?? accounts.find((one) => one.startsWith('default/')) ?? ''
  const subjectNow = (): AccessSubject => {
    if (kind === 'Group') return { kind, name: name.trim() }
    if (kind === 'User')
      return { kind, name: name.trim(), groups: groups.split(/[\s,]+/).filter(Boolean) }
    const [namespace = '', accountName = ''] = chosenAccount.split('/')
    return { kind, namespace, name: accountName }
  }
  return (
    <form
      className="subject-form"
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(subjectNow())
      }}
    >
      <Segments label={SUBJECT.kind} value={kind} choices={KINDS} onChoose={setKind} />
      {kind === 'ServiceAccount' ? (
        <AccountField accounts={accounts} value={chosenAccount} onChange={setAccount} />
      ) : (
        <label>
          <span className="field-title">{subjectKind(kind)}</span>
          <input
            className="field mono"
            list={kind === 'Group' ? 'known-groups' : undefined}
            value={name}
            required
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => setName(event.target.value)}
          />
          <datalist id="known-groups">
            {KNOWN_GROUPS.map((group) => (
              <option key={group} value={group} />
            ))}
          </datalist>
        </label>
      )}
      {kind === 'User' && (
        <label>
          <span className="field-title">{SUBJECT.groups}</span>
          <input
            className="field mono"
            placeholder={SUBJECT.groupsExample}
            value={groups}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => setGroups(event.target.value)}
          />
        </label>
      )}
      <button
        type="submit"
        className="button small primary"
        disabled={kind === 'ServiceAccount' && !chosenAccount.includes('/')}
      >
        {SUBJECT.show}
      </button>
    </form>
  )
}
