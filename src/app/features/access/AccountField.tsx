import { SHARED } from './texts'

interface AccountFieldProps {
  accounts: readonly string[]
  value: string
  onChange(account: string): void
}

export function AccountField({ accounts, value, onChange }: AccountFieldProps) {
  return (
    <label>
      <span className="field-title">{SHARED.serviceAccount}</span>
      <input
        className="field mono"
        list="service-accounts"
        placeholder={SHARED.accountFormat}
        required
        value={value}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <datalist id="service-accounts">
        {accounts.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  )
}
