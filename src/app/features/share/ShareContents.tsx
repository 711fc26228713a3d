import { useMemo } from 'react'
import { accessInWords, sharedAccess } from './access'
import type { Choice, Holdings } from './offer'
import { holdsSecrets } from './secrets'
import { CONTENTS } from './texts'

interface ShareContentsProps {
  held: Holdings
  choice: Choice
  change: (part: Partial<Choice>) => void
}

export function ShareContents({ held, choice, change }: ShareContentsProps) {
  const secret = useMemo(() => holdsSecrets(held.now, held.files), [held])
  const { handlers } = held.circumstances.settings
  const access = useMemo(() => sharedAccess(held.circumstances.settings.access), [held])
  const scripts = held.files.filter(({ language }) => language === 'typescript').length
  return (
    <fieldset className="checks" aria-label={CONTENTS.title}>
      <Check
        checked={choice.everything}
        onChange={(everything) => change({ everything })}
        title={CONTENTS.everything}
      >
        {CONTENTS.everythingAbout}
      </Check>
      {held.requests.length > 0 && (
        <Check
          checked={choice.requests}
          onChange={(requests) => change({ requests })}
          title={CONTENTS.requests(held.requests.length)}
        >
          {CONTENTS.requestsAbout}
        </Check>
      )}
      {held.files.length > 0 && (
        <Check
          checked={choice.files}
          onChange={(files) => change({ files })}
          title={CONTENTS.files(held.files.length, scripts)}
        />
      )}
      {handlers.length > 0 && (
        <Check
          checked={choice.handlers}
          onChange={(handlers) => change({ handlers })}
          title={CONTENTS.webhooks(handlers.map(({ name }) => name).join(', '))}
        >
          {CONTENTS.webhooksAbout}
        </Check>
      )}
      {access !== undefined && (
        <Check
          checked={choice.access}
          onChange={(access) => change({ access })}
          title={CONTENTS.access(accessInWords(access))}
        >
          {CONTENTS.accessAbout}
        </Check>
      )}
      <Check checked={choice.view} onChange={(view) => change({ view })} title={CONTENTS.view} />
      {secret && (
        <Check
          checked={choice.values}
          onChange={(values) => change({ values })}
          title={CONTENTS.secrets}
        >
          {CONTENTS.secretsAbout}
        </Check>
      )}
    </fieldset>
  )
}

interface CheckProps {
  checked: boolean
  title: string
  children?: string
  onChange: (checked: boolean) => void
}

function Check({ checked, title, children, onChange }: CheckProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {title}
        {children && <small>{children}</small>}
      </span>
    </label>
  )
}
