/**
 * Input from any thread to the physics thread: bounded, with time stamps, each event taken exactly once.
 *
 * <p>A tick takes each event, but while time stands still or the run repeats a source log, a listener receives it, or nobody does.
 *
 * <pre>
 * producers                          physics thread
 *
 * InputSource    --.
 * TrackedSource  ----> InputRing --> InputSampler --> InputFrame: InputEvents, and InputStates after them
 * any thread     --'                     |
 *                                    InputLevels of all senders and of each
 *
 * only in some runs                           classes
 * producers that join, leave or vanish        RemoteSources, TrackedSource, SenderNumbers
 * events of the sampler's own, after a pause
 * or a seek                                   OwedEvents
 * input for a re-simulation                   LateInput
 * drags                                       DragInput; InputKind has their effects
 * </pre>
 *
 * <p>Producers call {@link dev.escapement.state.input.InputSink#offer}; the physics thread takes due events with an
 * {@link dev.escapement.state.input.InputSampler}. Logs and replicas build the same frames as
 * {@link dev.escapement.state.input.RecordedInput}. Start reading at {@link dev.escapement.state.input.InputRing}.
 */
@NullMarked
package dev.escapement.state.input;

import org.jspecify.annotations.NullMarked;
