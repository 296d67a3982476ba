/** Findings about a machine: how exactly it ticks, and what to change. Start reading at {@code MachineCommand}. */
@NullMarked
package dev.escapement.bench.machine;

import org.jspecify.annotations.NullMarked;
