/** One thing the doctor looked at. Only `wrong` makes it fail. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly says: string;
  readonly fix?: string;
}
