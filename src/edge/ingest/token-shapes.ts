/** A kind of secret that can be told by its look alone. */
export interface TokenShape {
  readonly name: string;
  /**
   * Regular expression source. `(?<pre>…)` is kept; all else that matched is the secret. Starts with fixed text, so
   * that the search stays fast, and never lets an open-ended run be followed by something required, except where
   * `from` allows one start per run: both keep it linear on hostile text.
   */
  readonly source: string;
}

/** What a token looks like before it: no letter or digit of its own kind, but an escape, a colour code or a `%3D` may end there. */
const from = (prefix: string) =>
  `${prefix}(?<=(?:^|[^A-Za-z0-9_-]|\\\\[nrtbf]|\\[[\\d;]{0,8}m|%[0-9A-Fa-f]{2})${prefix})`;
const word = '[A-Za-z0-9]';
const wide = '[A-Za-z0-9_-]';
const begin = '-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----';

export const tokenShapes: readonly TokenShape[] = [
  { name: 'GitHub', source: `gh[pousr]_${word}{30,}` },
  { name: 'GitHub fine-grained', source: `github_pat_[A-Za-z0-9_]{22,}` },
  { name: 'GitLab', source: `gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-${wide}{20,}` },
  {
    // Also the name of many CSS classes and branches: a key has digits, and capitals or one long run.
    name: 'OpenAI, Anthropic and alike',
    source: `${from('sk-')}(?=${wide}{0,60}\\d)(?=${wide}{0,60}[A-Z]|${wide}{0,30}[a-z0-9]{16})${wide}{20,}`,
  },
  { name: 'Stripe', source: `[sr]k_(?:live|test)_${word}{16,}` },
  { name: 'webhook signing', source: `whsec_[A-Za-z0-9+/]{24,}={0,2}` },
  { name: 'AWS access key', source: `${from('A[KS]IA')}[A-Z0-9]{16,}` },
  {
    name: 'AWS secret key',
    source: `(?<pre>(?:aws_?secret_?access_?key|AWS_SECRET_ACCESS_KEY|[sS]ecretAccessKey)["']?\\s{0,5}[=:]\\s{0,5}["']?)[A-Za-z0-9/+]{40,}`,
  },
  { name: 'Slack', source: `xox[abeoprs]-[A-Za-z0-9-]{10,}` },
  { name: 'Slack app', source: `xapp-\\d-[A-Za-z0-9-]{10,}` },
  {
    name: 'Slack webhook',
    source: `(?<pre>hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/_-]{20,}`,
  },
  {
    name: 'Discord webhook',
    source: `(?<pre>discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/\\d{15,22}/)${wide}{30,}`,
  },
  { name: 'Telegram bot', source: `(?<pre>api\\.telegram\\.org/bot)\\d{6,12}:${wide}{30,}` },
  { name: 'npm', source: `npm_${word}{36,}` },
  { name: 'PyPI', source: `pypi-AgE${wide}{40,}` },
  { name: 'Google API key', source: `AIza${wide}{35,}` },
  { name: 'Google OAuth', source: `ya29\\.${wide}{20,}` },
  { name: 'Google client secret', source: `GOCSPX-${wide}{20,}` },
  { name: 'Hugging Face', source: `${from('hf_')}${word}{30,}` },
  { name: 'Groq', source: `gsk_${word}{40,}` },
  { name: 'xAI', source: `${from('xai-')}${word}{60,}` },
  { name: 'Replicate', source: `${from('r8_')}${word}{36,}` },
  { name: 'Perplexity', source: `pplx-${word}{40,}` },
  { name: 'SendGrid', source: `${from('SG\\.')}${wide}{20,30}\\.${wide}{40,50}` },
  { name: 'DigitalOcean', source: `do[opr]_v1_[a-f0-9]{60,}` },
  { name: 'Docker', source: `dckr_[po]at_${wide}{20,}` },
  { name: 'Vault', source: `${from('hv[sbr]\\.')}(?=${wide}{0,60}\\d)${wide}{24,}` },
  { name: 'Linear', source: `lin_(?:api|oauth)_${word}{32,}` },
  { name: 'Notion', source: `ntn_${word}{40,}` },
  { name: 'Shopify', source: `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}` },
  { name: 'Databricks', source: `${from('dapi')}[a-f0-9]{32,}` },
  { name: 'Supabase', source: `sb[ps]_[a-f0-9]{40}|sb_secret_${wide}{20,}` },
  { name: 'Sentry', source: `sntry[su]_[A-Za-z0-9+/=_-]{40,}` },
  { name: 'Postman', source: `PMAK-[a-f0-9]{24}-[a-f0-9]{34}` },
  { name: 'age', source: `AGE-SECRET-KEY-1[0-9A-Z]{50,}` },
  { name: 'Azure storage', source: `(?<pre>AccountKey=)[A-Za-z0-9+/]{60,}={0,2}` },
  { name: 'JWT', source: `${from('eyJ')}${wide}{8,}\\.eyJ${wide}{8,}\\.${wide}{10,}` },
  {
    name: 'private key',
    source: `${begin}(?:[^-]{0,16384}(?:-(?!----)[^-]{0,16384}){0,40}-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\\s|\\\\[nr])+[A-Za-z0-9+/=]{40,})+)`,
  },
  {
    name: 'authorization header',
    source: `(?<pre>[Aa]uthorization["']?\\s{0,5}[:=]\\s{0,5}["']?(?:Bearer|bearer|Basic|basic|[Tt]oken)\\s{1,5})(?=[A-Za-z._~+/-]{0,80}[0-9=]|[A-Za-z]{0,80}[a-z][A-Z])[A-Za-z0-9._~+/=-]{8,}`,
  },
  {
    name: 'key header',
    source: `(?<pre>[Xx]-[Aa][Pp][Ii]-[Kk]ey["']?\\s{0,5}[:=]\\s{0,5}["']?)(?=[A-Za-z._~+/-]{0,60}\\d)[A-Za-z0-9._~+/=-]{16,}`,
  },
  {
    name: 'bearer',
    source: `(?<pre>[Bb]earer\\s{1,5})(?=[A-Za-z._~+/-]{0,60}\\d)[A-Za-z0-9._~+/-]{20,}={0,2}`,
  },
  { name: 'password in an address', source: `(?<pre>://[^\\s/:@'"<>⟦]{0,100}:)[^\\s/:'"<>⟦]{1,300}(?=@)` },
];
