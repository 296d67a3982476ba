package dev.escapement.physics.command;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The reserved id of a body, and the answer of the {@link Command.Spawn} that creates it.
 *
 * <p>See {@code TickingWorld.spawn}.
 *
 * @param id     the {@link dev.escapement.state.snapshot.BodyId} of the body, which no other body has. If the answer is a failure,
 *               no body has it
 * @param answer completed as the future of a {@link Command}
 * @param <T>    what the command returns
 */
public record Spawned<T extends @Nullable Object>(long id, CompletableFuture<Answer<T>> answer) {}
