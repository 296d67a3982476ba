/** What to expect of a machine, what to change about it, and what it can hold. Start reading at {@code MachineCommand}. */
@NullMarked
package dev.escapement.bench.machine;

import org.jspecify.annotations.NullMarked;
