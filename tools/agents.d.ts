/** The agents that live tests drive, pinned exactly. Never dependencies: some are proprietary. */
export declare const agents: {
    readonly codex: {
        readonly package: '@openai/codex';
        readonly version: '0.166.0';
        readonly entry: '@openai/codex/bin/codex.js';
    };
    readonly opencode: {
        readonly package: 'opencode-ai';
        readonly version: '1.18.33';
        readonly entry: `opencode-${string}/bin/opencode`;
    };
    readonly claude: {
        readonly package: '@anthropic-ai/claude-code';
        readonly version: '2.1.325';
        readonly entry: "@anthropic-ai/claude-code-aix-arm/claude" | "@anthropic-ai/claude-code-aix-arm64/claude" | "@anthropic-ai/claude-code-aix-ia32/claude" | "@anthropic-ai/claude-code-aix-loong64/claude" | "@anthropic-ai/claude-code-aix-mips/claude" | "@anthropic-ai/claude-code-aix-mipsel/claude" | "@anthropic-ai/claude-code-aix-ppc64/claude" | "@anthropic-ai/claude-code-aix-riscv64/claude" | "@anthropic-ai/claude-code-aix-s390x/claude" | "@anthropic-ai/claude-code-aix-x64/claude" | "@anthropic-ai/claude-code-android-arm/claude" | "@anthropic-ai/claude-code-android-arm64/claude" | "@anthropic-ai/claude-code-android-ia32/claude" | "@anthropic-ai/claude-code-android-loong64/claude" | "@anthropic-ai/claude-code-android-mips/claude" | "@anthropic-ai/claude-code-android-mipsel/claude" | "@anthropic-ai/claude-code-android-ppc64/claude" | "@anthropic-ai/claude-code-android-riscv64/claude" | "@anthropic-ai/claude-code-android-s390x/claude" | "@anthropic-ai/claude-code-android-x64/claude" | "@anthropic-ai/claude-code-cygwin-arm/claude" | "@anthropic-ai/claude-code-cygwin-arm64/claude" | "@anthropic-ai/claude-code-cygwin-ia32/claude" | "@anthropic-ai/claude-code-cygwin-loong64/claude" | "@anthropic-ai/claude-code-cygwin-mips/claude" | "@anthropic-ai/claude-code-cygwin-mipsel/claude" | "@anthropic-ai/claude-code-cygwin-ppc64/claude" | "@anthropic-ai/claude-code-cygwin-riscv64/claude" | "@anthropic-ai/claude-code-cygwin-s390x/claude" | "@anthropic-ai/claude-code-cygwin-x64/claude" | "@anthropic-ai/claude-code-darwin-arm/claude" | "@anthropic-ai/claude-code-darwin-arm64/claude" | "@anthropic-ai/claude-code-darwin-ia32/claude" | "@anthropic-ai/claude-code-darwin-loong64/claude" | "@anthropic-ai/claude-code-darwin-mips/claude" | "@anthropic-ai/claude-code-darwin-mipsel/claude" | "@anthropic-ai/claude-code-darwin-ppc64/claude" | "@anthropic-ai/claude-code-darwin-riscv64/claude" | "@anthropic-ai/claude-code-darwin-s390x/claude" | "@anthropic-ai/claude-code-darwin-x64/claude" | "@anthropic-ai/claude-code-freebsd-arm/claude" | "@anthropic-ai/claude-code-freebsd-arm64/claude" | "@anthropic-ai/claude-code-freebsd-ia32/claude" | "@anthropic-ai/claude-code-freebsd-loong64/claude" | "@anthropic-ai/claude-code-freebsd-mips/claude" | "@anthropic-ai/claude-code-freebsd-mipsel/claude" | "@anthropic-ai/claude-code-freebsd-ppc64/claude" | "@anthropic-ai/claude-code-freebsd-riscv64/claude" | "@anthropic-ai/claude-code-freebsd-s390x/claude" | "@anthropic-ai/claude-code-freebsd-x64/claude" | "@anthropic-ai/claude-code-haiku-arm/claude" | "@anthropic-ai/claude-code-haiku-arm64/claude" | "@anthropic-ai/claude-code-haiku-ia32/claude" | "@anthropic-ai/claude-code-haiku-loong64/claude" | "@anthropic-ai/claude-code-haiku-mips/claude" | "@anthropic-ai/claude-code-haiku-mipsel/claude" | "@anthropic-ai/claude-code-haiku-ppc64/claude" | "@anthropic-ai/claude-code-haiku-riscv64/claude" | "@anthropic-ai/claude-code-haiku-s390x/claude" | "@anthropic-ai/claude-code-haiku-x64/claude" | "@anthropic-ai/claude-code-linux-arm/claude" | "@anthropic-ai/claude-code-linux-arm64/claude" | "@anthropic-ai/claude-code-linux-ia32/claude" | "@anthropic-ai/claude-code-linux-loong64/claude" | "@anthropic-ai/claude-code-linux-mips/claude" | "@anthropic-ai/claude-code-linux-mipsel/claude" | "@anthropic-ai/claude-code-linux-ppc64/claude" | "@anthropic-ai/claude-code-linux-riscv64/claude" | "@anthropic-ai/claude-code-linux-s390x/claude" | "@anthropic-ai/claude-code-linux-x64/claude" | "@anthropic-ai/claude-code-netbsd-arm/claude" | "@anthropic-ai/claude-code-netbsd-arm64/claude" | "@anthropic-ai/claude-code-netbsd-ia32/claude" | "@anthropic-ai/claude-code-netbsd-loong64/claude" | "@anthropic-ai/claude-code-netbsd-mips/claude" | "@anthropic-ai/claude-code-netbsd-mipsel/claude" | "@anthropic-ai/claude-code-netbsd-ppc64/claude" | "@anthropic-ai/claude-code-netbsd-riscv64/claude" | "@anthropic-ai/claude-code-netbsd-s390x/claude" | "@anthropic-ai/claude-code-netbsd-x64/claude" | "@anthropic-ai/claude-code-openbsd-arm/claude" | "@anthropic-ai/claude-code-openbsd-arm64/claude" | "@anthropic-ai/claude-code-openbsd-ia32/claude" | "@anthropic-ai/claude-code-openbsd-loong64/claude" | "@anthropic-ai/claude-code-openbsd-mips/claude" | "@anthropic-ai/claude-code-openbsd-mipsel/claude" | "@anthropic-ai/claude-code-openbsd-ppc64/claude" | "@anthropic-ai/claude-code-openbsd-riscv64/claude" | "@anthropic-ai/claude-code-openbsd-s390x/claude" | "@anthropic-ai/claude-code-openbsd-x64/claude" | "@anthropic-ai/claude-code-sunos-arm/claude" | "@anthropic-ai/claude-code-sunos-arm64/claude" | "@anthropic-ai/claude-code-sunos-ia32/claude" | "@anthropic-ai/claude-code-sunos-loong64/claude" | "@anthropic-ai/claude-code-sunos-mips/claude" | "@anthropic-ai/claude-code-sunos-mipsel/claude" | "@anthropic-ai/claude-code-sunos-ppc64/claude" | "@anthropic-ai/claude-code-sunos-riscv64/claude" | "@anthropic-ai/claude-code-sunos-s390x/claude" | "@anthropic-ai/claude-code-sunos-x64/claude" | "@anthropic-ai/claude-code-win32-arm/claude" | "@anthropic-ai/claude-code-win32-arm64/claude" | "@anthropic-ai/claude-code-win32-ia32/claude" | "@anthropic-ai/claude-code-win32-loong64/claude" | "@anthropic-ai/claude-code-win32-mips/claude" | "@anthropic-ai/claude-code-win32-mipsel/claude" | "@anthropic-ai/claude-code-win32-ppc64/claude" | "@anthropic-ai/claude-code-win32-riscv64/claude" | "@anthropic-ai/claude-code-win32-s390x/claude" | "@anthropic-ai/claude-code-win32-x64/claude";
    };
    readonly gemini: {
        readonly package: '@google/gemini-cli';
        readonly version: '0.61.0';
        readonly entry: '.bin/gemini';
    };
    readonly qwen: {
        readonly package: '@qwen-code/qwen-code';
        readonly version: '0.24.4';
        readonly entry: '.bin/qwen';
    };
};
export type AgentName = keyof typeof agents;
/** One folder per user, shared by every clone. */
export declare function agentsCache(): string;
export declare function agentFolder(name: AgentName): string;
/** Program and first arguments that start the agent installed in `folder`. */
export declare function agentCommand(name: AgentName, folder?: string): [string, ...string[]];
