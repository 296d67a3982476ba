/**
 * Input on its way from any thread to the physics thread: timestamped, bounded, each event taken exactly once, by a
 * tick or, while time stands still or another run is followed, by a listener or none.
 *
 * <p>Producers use {@link dev.escapement.state.input.InputRing#offer}; the physics thread takes what is due with an
 * {@link dev.escapement.state.input.InputSampler}. Start reading at {@link dev.escapement.state.input.InputRing}.
 */
@NullMarked
package dev.escapement.state.input;

import org.jspecify.annotations.NullMarked;
