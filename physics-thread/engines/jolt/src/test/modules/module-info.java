/** A game on the module path, with the modules that it must require. */
module game {
    requires dev.escapement.physics;
    requires dev.escapement.physics.jolt;
    requires jolt.jni.Linux64; // the automatic module is named after its file
}
