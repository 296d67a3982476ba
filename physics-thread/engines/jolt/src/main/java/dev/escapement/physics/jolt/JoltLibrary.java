package dev.escapement.physics.jolt;

import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;

/**
 * Where jolt-jni keeps the native library of one platform.
 *
 * @param artifact the Maven artifact, whose classifier jar holds the library
 * @param resource the library's path within that jar
 */
record JoltLibrary(String artifact, String resource) {

    static JoltLibrary forPlatform(Platform platform) {
        return switch (platform.family() + ' ' + platform.architecture()) {
            case "linux amd64" -> of("jolt-jni-Linux64", "linux/x86-64", "libjoltjni.so");
            case "linux aarch64" -> of("jolt-jni-Linux_ARM64", "linux/aarch64", "libjoltjni.so");
            case "windows amd64" -> of("jolt-jni-Windows64", "windows/x86-64", "joltjni.dll");
            case "macos amd64" -> of("jolt-jni-MacOSX64", "osx/x86-64", "libjoltjni.dylib");
            case "macos aarch64" -> of("jolt-jni-MacOSX_ARM64", "osx/aarch64", "libjoltjni.dylib");
            default ->
                throw new UnsupportedPlatformException("jolt-jni offers no native library of Jolt for " + platform
                        + ": use Linux or macOS on amd64 or aarch64, or Windows on amd64");
        };
    }

    /** What a build has to depend on. */
    String coordinates(String version) {
        return "com.github.stephengold:" + artifact + ":" + version + ":ReleaseSp";
    }

    private static JoltLibrary of(String artifact, String folder, String file) {
        return new JoltLibrary(artifact, "/" + folder + "/com/github/stephengold/" + file);
    }
}
