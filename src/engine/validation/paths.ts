/** Texts recorded from kube-apiserver 1.31. */
import type { FieldError } from '../http/status'
import { invalidValue } from './field-errors'

const hasBackstep = (path: string): boolean => path.includes('..') && path.split('/').includes('..')

export function backstepErrors(field: string, path: string): FieldError[] {
  return hasBackstep(path) ? [invalidValue(field, path, "must not contain '..'")] : []
}

export function descendingPathErrors(field: string, path: string): FieldError[] {
  const errors = path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []
  return [...errors, ...backstepErrors(field, path)]
}

/** The kubelet reserves a leading `..`. */
export function unreservedPathErrors(field: string, path: string): FieldError[] {
  const errors = descendingPathErrors(field, path)
  if (path.startsWith('..') && !path.startsWith('../'))
    errors.push(invalidValue(field, path, "must not start with '..'"))
  return errors
}
