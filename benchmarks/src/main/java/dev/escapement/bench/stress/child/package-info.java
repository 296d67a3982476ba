/**
 * Child processes, busy ones and trials in a JVM of their own: what it is to have, what it says it has, and its results on their way back.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.child.ChildTrial}.
 */
@NullMarked
package dev.escapement.bench.stress.child;

import org.jspecify.annotations.NullMarked;
