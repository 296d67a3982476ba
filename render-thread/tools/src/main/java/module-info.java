/**
 * What programs around frames need: scenes of engines, game loops, buffers of instances, a history, measurements of evenness.
 *
 * <p>Start reading at {@link dev.escapement.render.scene.SceneBodies} or {@link dev.escapement.render.tools.AnimationError}.
 */
module dev.escapement.render.tools {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.render;
    requires static jdk.jfr;

    exports dev.escapement.render.gameloop;
    exports dev.escapement.render.scene;
    exports dev.escapement.render.tools;
}
